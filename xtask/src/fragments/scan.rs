//! Reads fragments, rows and messages made by hand out of the code. What is a fault is not known
//! here.

use proc_macro2::{Span, TokenStream, TokenTree};
use syn::spanned::Spanned as _;
use syn::{Attribute, Expr, ImplItem, ImplItemFn, Item, ItemImpl, Stmt, Type};

use super::by_hand::{self, ByHand};
use super::eval::{CapValue, Consts, Scope, refinements, spec_call};
use super::is_shipped;
use crate::workspace::TextFile;

/// The folder whose fragments must be in the catalogue.
pub(super) const CATALOG: &str = "crates/context-fragments/src/catalog";

/// Everything that was read.
#[derive(Debug, Default)]
pub(super) struct Scanned {
    pub(super) fragments: Vec<Fragment>,
    pub(super) rows: Vec<Row>,
    /// Paths such as `TurnAborted::SPEC` in the list that recognition goes through.
    pub(super) listed: Vec<String>,
    pub(super) by_hand: Vec<ByHand>,
    /// Files and lines of macros that make fragments, which cannot be read.
    pub(super) in_macros: Vec<(String, usize)>,
    /// Files that could not be read as Rust, with the line and what is wrong.
    pub(super) unreadable: Vec<(String, usize, String)>,
}

/// An implementation of the trait.
#[derive(Debug, Clone)]
pub(super) struct Fragment {
    pub(super) name: String,
    pub(super) file: String,
    pub(super) line: usize,
    /// The first line of the type's documentation.
    pub(super) summary: String,
    pub(super) cap: CapFact,
    pub(super) is_separate: bool,
    pub(super) p0: Option<P0>,
}

/// What the code says of a cap.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum CapFact {
    /// A constant.
    Const(CapValue),
    /// A field that holds a cap: whatever its user takes, at most the largest that there is.
    Chosen,
    /// Nothing that can be read.
    Missing,
}

/// A review of a large cap.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct P0 {
    pub(super) date: String,
    pub(super) text: String,
}

/// A row of the catalogue.
#[derive(Debug, Clone)]
pub(super) struct Row {
    /// The type, or the name of the constant where there is no type.
    pub(super) owner: String,
    /// `TYPE::CONST` or `MODULE::CONST`.
    pub(super) path: String,
    pub(super) name: String,
    pub(super) file: String,
    pub(super) line: usize,
    pub(super) role: String,
    pub(super) kind: String,
    pub(super) markers: (String, String),
    pub(super) refinements: Vec<String>,
}

/// Reads all shipped files.
pub(super) fn files(files: &[TextFile]) -> Scanned {
    let mut scanned = Scanned::default();
    let mut parsed = Vec::new();
    for file in files.iter().filter(|file| is_shipped(file)) {
        match syn::parse_file(&file.text) {
            Ok(tree) => parsed.push((file, tree)),
            Err(error) => {
                let line = error.span().start().line;
                scanned
                    .unreadable
                    .push((file.path.clone(), line, error.to_string()));
            }
        }
    }
    let for_tests: Vec<String> = parsed
        .iter()
        .flat_map(|(file, tree)| test_modules(&file.path, &tree.items))
        .collect();
    parsed.retain(|(file, _)| !for_tests.contains(&file.path));
    let mut consts = Consts::default();
    for (file, tree) in &parsed {
        gather_consts(&mut consts, file, &tree.items);
    }
    for (file, tree) in &parsed {
        Reader {
            file,
            consts: &consts,
            items: &tree.items,
            scanned: &mut scanned,
        }
        .items(&tree.items);
        if !file.path.starts_with("crates/protocol/")
            && !file.path.starts_with("crates/context-fragments/")
        {
            scanned.by_hand.extend(by_hand::find(file, tree));
        }
    }
    scanned
}

/// The files of modules that are compiled for tests only.
fn test_modules(path: &str, items: &[Item]) -> Vec<String> {
    let stem = path.trim_end_matches(".rs");
    let is_root = stem.ends_with("/lib") || stem.ends_with("/main");
    let folder = if is_root {
        stem.rsplit_once('/').map_or("", |(folder, _)| folder)
    } else {
        stem
    };
    let modules = items.iter().filter_map(|item| match item {
        Item::Mod(found) if found.content.is_none() && is_for_tests(&found.attrs) => {
            Some(format!("{folder}/{}.rs", found.ident))
        }
        _ => None,
    });
    modules.collect()
}

fn gather_consts(consts: &mut Consts, file: &TextFile, items: &[Item]) {
    let scope = Scope {
        file: &file.path,
        of_type: None,
    };
    for item in items {
        match item {
            Item::Const(found) => consts.insert(scope, &found.ident.to_string(), &found.expr),
            Item::Impl(found) if found.trait_.is_none() => {
                let of_type = type_name(&found.self_ty);
                for item in &found.items {
                    if let ImplItem::Const(inner) = item {
                        let scope = Scope {
                            of_type: Some(&of_type),
                            ..scope
                        };
                        consts.insert(scope, &inner.ident.to_string(), &inner.expr);
                    }
                }
            }
            _ => {}
        }
    }
}

struct Reader<'a> {
    file: &'a TextFile,
    consts: &'a Consts,
    items: &'a [Item],
    scanned: &'a mut Scanned,
}

impl Reader<'_> {
    fn items(&mut self, items: &[Item]) {
        for item in items {
            match item {
                Item::Impl(found) => self.implementation(found),
                Item::Macro(found) if implements_the_trait(found.mac.tokens.clone()) => {
                    let line = found.mac.span().start().line;
                    self.scanned.in_macros.push((self.file.path.clone(), line));
                }
                Item::Const(found) => {
                    let name = found.ident.to_string();
                    let module = self.file.path.rsplit('/').next().unwrap_or_default();
                    let path = format!("{}::{name}", module.trim_end_matches(".rs"));
                    let scope = Scope {
                        file: &self.file.path,
                        of_type: None,
                    };
                    self.row((&name, &path), &found.expr, scope, found.ident.span());
                }
                Item::Static(found)
                    if found.ident == "ALL" && self.file.path == format!("{CATALOG}.rs") =>
                {
                    self.scanned.listed = listed(&found.expr);
                }
                Item::Mod(found) if !is_for_tests(&found.attrs) => {
                    if let Some((_, items)) = &found.content {
                        self.items(items);
                    }
                }
                _ => {}
            }
        }
    }

    fn implementation(&mut self, found: &ItemImpl) {
        let name = type_name(&found.self_ty);
        let trait_name = found
            .trait_
            .as_ref()
            .and_then(|(path, _)| path.segments.last());
        match trait_name {
            None => {
                for item in &found.items {
                    if let ImplItem::Const(inner) = item {
                        let path = format!("{name}::{}", inner.ident);
                        let scope = Scope {
                            file: &self.file.path,
                            of_type: Some(&name),
                        };
                        self.row((&name, &path), &inner.expr, scope, inner.ident.span());
                    }
                }
            }
            Some(last) if last.ident == "ContextualUserFragment" => self.fragment(found, name),
            Some(_) => {}
        }
    }

    fn fragment(&mut self, found: &ItemImpl, name: String) {
        let functions: Vec<&ImplItemFn> = found
            .items
            .iter()
            .filter_map(|item| {
                if let ImplItem::Fn(function) = item {
                    Some(function)
                } else {
                    None
                }
            })
            .collect();
        let takes_facts_of_row = found.items.iter().any(|item| {
            matches!(item, ImplItem::Macro(inner) if inner.mac.path.is_ident("facts_of_spec"))
        });
        let function = |wanted: &str| {
            functions
                .iter()
                .find(|function| function.sig.ident == wanted)
        };
        let scope = Scope {
            file: &self.file.path,
            of_type: Some(&name),
        };
        let cap_expr: Option<Expr> = if takes_facts_of_row {
            Some(syn::parse_quote!(Self::SPEC.cap()))
        } else {
            function("cap").and_then(|function| tail_expr(function))
        };
        let is_field = |expr: &Expr| matches!(expr, Expr::Field(_));
        let cap = match &cap_expr {
            Some(expr) if is_field(expr) => CapFact::Chosen,
            Some(expr) => self
                .consts
                .cap(expr, scope)
                .map_or(CapFact::Missing, CapFact::Const),
            None => CapFact::Missing,
        };
        // The review stands where the number stands: on the constant, else on the function.
        let cap_const = self.cap_const_line(&name);
        let cap_function = function("cap").map(|function| function.span().start().line);
        let lines: Vec<usize> = [cap_function, cap_const].into_iter().flatten().collect();
        let p0 = lines
            .iter()
            .find_map(|line| p0_above(&self.file.text, *line));
        let is_separate = function("requires_separate_message")
            .and_then(|function| tail_expr(function))
            .is_some_and(|expr| is_true(&expr));
        self.scanned.fragments.push(Fragment {
            line: found.self_ty.span().start().line,
            summary: self.summary(&name),
            file: self.file.path.clone(),
            name,
            cap,
            is_separate,
            p0,
        });
    }

    /// The line of the constant `CAP` of a type.
    fn cap_const_line(&self, name: &str) -> Option<usize> {
        self.items.iter().find_map(|item| {
            let Item::Impl(found) = item else { return None };
            if found.trait_.is_some() || type_name(&found.self_ty) != name {
                return None;
            }
            found.items.iter().find_map(|item| match item {
                ImplItem::Const(inner) if inner.ident == "CAP" => {
                    Some(inner.const_token.span().start().line)
                }
                _ => None,
            })
        })
    }

    fn row(&mut self, (owner, path): (&str, &str), expr: &Expr, scope: Scope<'_>, span: Span) {
        let Some(call) = spec_call(expr) else { return };
        let Expr::Path(function) = &*call.func else {
            return;
        };
        let names: Vec<String> = function
            .path
            .segments
            .iter()
            .map(|segment| segment.ident.to_string())
            .collect();
        let is_row = matches!(&names[..], [.., spec, new] if spec == "FragmentSpec" && new == "new")
            || matches!(&names[..], [only] if only == "read_only");
        let arguments: Vec<&Expr> = call.args.iter().collect();
        let [name, role, kind, markers, ..] = &arguments[..] else {
            return;
        };
        if !is_row {
            return;
        }
        let unknown = || "?".to_owned();
        let Some(name) = self.consts.text(name, scope) else {
            return;
        };
        self.scanned.rows.push(Row {
            owner: owner.to_owned(),
            path: path.to_owned(),
            name,
            file: self.file.path.clone(),
            line: span.start().line,
            role: last_segment(role).unwrap_or_else(unknown),
            kind: self.consts.text(kind, scope).unwrap_or_else(unknown),
            markers: self
                .consts
                .pair(markers, scope)
                .unwrap_or_else(|| (unknown(), unknown())),
            refinements: refinements(expr),
        });
    }

    fn summary(&self, name: &str) -> String {
        let attributes = self.items.iter().find_map(|item| match item {
            Item::Struct(found) if found.ident == name => Some(&found.attrs),
            Item::Enum(found) if found.ident == name => Some(&found.attrs),
            _ => None,
        });
        attributes
            .and_then(|attrs| attrs.iter().find_map(doc_line))
            .unwrap_or_default()
    }
}

/// Whether the words `ContextualUserFragment for` stand somewhere in a macro.
fn implements_the_trait(tokens: TokenStream) -> bool {
    let mut is_behind_name = false;
    for token in tokens {
        match token {
            TokenTree::Group(group) if implements_the_trait(group.stream()) => return true,
            TokenTree::Ident(word) if is_behind_name && word == "for" => return true,
            TokenTree::Ident(word) => is_behind_name = word == "ContextualUserFragment",
            _ => is_behind_name = false,
        }
    }
    false
}

/// What a function ends with.
fn tail_expr(function: &ImplItemFn) -> Option<Expr> {
    match function.block.stmts.last()? {
        Stmt::Expr(expr, None) => Some(expr.clone()),
        _ => None,
    }
}

fn is_true(expr: &Expr) -> bool {
    matches!(expr, Expr::Lit(syn::ExprLit { lit: syn::Lit::Bool(value), .. }) if value.value)
}

fn listed(expr: &Expr) -> Vec<String> {
    match expr {
        Expr::Reference(inner) => listed(&inner.expr),
        Expr::Array(array) => array
            .elems
            .iter()
            .filter_map(|element| {
                let Expr::Path(path) = element else {
                    return None;
                };
                let names: Vec<String> = path
                    .path
                    .segments
                    .iter()
                    .map(|segment| segment.ident.to_string())
                    .collect();
                Some(names.join("::"))
            })
            .collect(),
        _ => Vec::new(),
    }
}

fn doc_line(attribute: &Attribute) -> Option<String> {
    let syn::Meta::NameValue(pair) = &attribute.meta else {
        return None;
    };
    let Expr::Lit(syn::ExprLit {
        lit: syn::Lit::Str(text),
        ..
    }) = &pair.value
    else {
        return None;
    };
    pair.path
        .is_ident("doc")
        .then(|| text.value().trim().to_owned())
}

fn type_name(of_type: &Type) -> String {
    match of_type {
        Type::Path(path) => path
            .path
            .segments
            .last()
            .map(|segment| segment.ident.to_string())
            .unwrap_or_default(),
        _ => String::new(),
    }
}

fn last_segment(expr: &Expr) -> Option<String> {
    let Expr::Path(path) = expr else { return None };
    Some(path.path.segments.last()?.ident.to_string())
}

/// Whether something is compiled for tests only, or for the strategies of tests.
pub(super) fn is_for_tests(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        let syn::Meta::List(list) = &attribute.meta else {
            return false;
        };
        let condition = list.tokens.to_string();
        attribute.path().is_ident("cfg")
            && (condition == "test" || condition.starts_with("any (test"))
    })
}

/// The review in the comment right above a line.
pub(super) fn p0_above(text: &str, line: usize) -> Option<P0> {
    let lines: Vec<&str> = text.lines().take(line.saturating_sub(1)).collect();
    let comment: Vec<&str> = lines
        .iter()
        .rev()
        .map(|line| line.trim())
        .take_while(|line| line.starts_with("//") || line.starts_with("#["))
        .filter(|line| line.starts_with("// "))
        .collect();
    let words: Vec<&str> = comment
        .iter()
        .rev()
        .map(|line| line.trim_start_matches("//").trim())
        .collect();
    let (date, text) = words
        .join(" ")
        .split_once("P0(")?
        .1
        .split_once("): ")
        .map(|(date, text)| (date.to_owned(), text.to_owned()))?;
    Some(P0 { date, text })
}
