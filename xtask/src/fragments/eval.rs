//! Finds the values of the few sorts of constants that facts about fragments are written in.

use std::collections::BTreeMap;

use syn::{Expr, ExprCall, ExprLit, GenericArgument, Lit, PathArguments};

/// The constants of the code by name; one name for two different values is no name.
#[derive(Default)]
pub(super) struct Consts {
    /// `FILE::NAME` for the constants of a module, `FILE::TYPE::NAME` for those of a type.
    scoped: BTreeMap<String, Expr>,
    /// The constants of modules by their last name alone.
    global: BTreeMap<String, Option<Expr>>,
}

/// The cap of a fragment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct CapValue {
    pub(super) tokens: u64,
    pub(super) refuses: bool,
}

/// Where a name is looked up: the file, and the type whose `Self` it may be.
#[derive(Debug, Clone, Copy)]
pub(super) struct Scope<'a> {
    pub(super) file: &'a str,
    pub(super) of_type: Option<&'a str>,
}

impl Consts {
    pub(super) fn insert(&mut self, scope: Scope<'_>, name: &str, value: &Expr) {
        let key = if let Some(of_type) = scope.of_type {
            format!("{}::{of_type}::{name}", scope.file)
        } else {
            let known = self.global.entry(name.to_owned());
            known
                .and_modify(|found| *found = None)
                .or_insert_with(|| Some(value.clone()));
            format!("{}::{name}", scope.file)
        };
        self.scoped.insert(key, value.clone());
    }

    /// The expression that a path of constants stands for.
    fn lookup(&self, expr: &Expr, scope: Scope<'_>) -> Option<&Expr> {
        let Expr::Path(path) = expr else { return None };
        let names: Vec<String> = path
            .path
            .segments
            .iter()
            .map(|segment| segment.ident.to_string())
            .collect();
        let (name, before) = names.split_last()?;
        let of_type = match before.last().map(String::as_str) {
            Some("Self") => scope.of_type,
            Some(other) if other.starts_with(char::is_uppercase) => Some(other),
            Some(_) => return self.global.get(name)?.as_ref(),
            None => None,
        };
        match of_type {
            Some(of_type) => self
                .scoped
                .get(&format!("{}::{of_type}::{name}", scope.file)),
            None => self
                .scoped
                .get(&format!("{}::{name}", scope.file))
                .or_else(|| self.global.get(name)?.as_ref()),
        }
    }

    /// The text of a literal or of a constant.
    pub(super) fn text(&self, expr: &Expr, scope: Scope<'_>) -> Option<String> {
        match expr {
            Expr::Lit(ExprLit {
                lit: Lit::Str(text),
                ..
            }) => Some(text.value()),
            Expr::Field(field) => {
                let syn::Member::Unnamed(index) = &field.member else {
                    return None;
                };
                let (start, end) = self.pair(&field.base, scope)?;
                Some(if index.index == 0 { start } else { end })
            }
            Expr::Path(_) => self.text(self.lookup(expr, scope)?, scope),
            _ => None,
        }
    }

    /// Two texts: a tuple or a constant of one.
    pub(super) fn pair(&self, expr: &Expr, scope: Scope<'_>) -> Option<(String, String)> {
        match expr {
            Expr::Tuple(tuple) => {
                let mut elements = tuple.elems.iter();
                let (first, second) = (elements.next()?, elements.next()?);
                Some((self.text(first, scope)?, self.text(second, scope)?))
            }
            Expr::Path(_) => self.pair(self.lookup(expr, scope)?, scope),
            _ => None,
        }
    }

    /// A cap that is made by its checked constructors, whatever lowers it afterwards.
    pub(super) fn cap(&self, expr: &Expr, scope: Scope<'_>) -> Option<CapValue> {
        match expr {
            Expr::Call(call) => made_cap(call),
            Expr::Path(_) => self.cap(self.lookup(expr, scope)?, scope),
            Expr::MethodCall(call) if call.method == "lowered_to" => {
                self.cap(&call.receiver, scope)
            }
            Expr::MethodCall(call) if call.method == "cap" && call.args.is_empty() => {
                let spec = spec_call(self.lookup(&call.receiver, scope)?)?;
                self.cap(spec.args.last()?, scope)
            }
            _ => None,
        }
    }
}

/// `Cap::cutting_at::<N>()` or `Cap::refusing_over::<N>()`.
fn made_cap(call: &ExprCall) -> Option<CapValue> {
    let Expr::Path(path) = &*call.func else {
        return None;
    };
    let maker = path.path.segments.last()?;
    let refuses = match maker.ident.to_string().as_str() {
        "cutting_at" => false,
        "refusing_over" => true,
        _ => return None,
    };
    let PathArguments::AngleBracketed(arguments) = &maker.arguments else {
        return None;
    };
    let GenericArgument::Const(Expr::Lit(ExprLit {
        lit: Lit::Int(number),
        ..
    })) = arguments.args.first()?
    else {
        return None;
    };
    Some(CapValue {
        tokens: number.base10_parse().ok()?,
        refuses,
    })
}

/// The call that makes a row, below the methods that refine it.
pub(super) fn spec_call(expr: &Expr) -> Option<&ExprCall> {
    match expr {
        Expr::Call(call) => Some(call),
        Expr::MethodCall(call) => spec_call(&call.receiver),
        _ => None,
    }
}

/// The names of the methods that refine a row.
pub(super) fn refinements(expr: &Expr) -> Vec<String> {
    match expr {
        Expr::MethodCall(call) => {
            let mut names = refinements(&call.receiver);
            names.push(call.method.to_string());
            names
        }
        _ => Vec::new(),
    }
}
