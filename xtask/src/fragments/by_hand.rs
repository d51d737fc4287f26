//! Finds messages and texts that stand in the code outside of the fragments.

use proc_macro2::{Span, TokenStream, TokenTree};
use syn::punctuated::Punctuated;
use syn::spanned::Spanned as _;
use syn::visit::{self, Visit};
use syn::{Attribute, Expr, Token};

use super::scan::is_for_tests;
use crate::workspace::TextFile;

/// A message or a marker that does not come from a fragment.
#[derive(Debug, Clone)]
pub(super) struct ByHand {
    pub(super) file: String,
    pub(super) line: usize,
    pub(super) what: Hand,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Hand {
    /// A message of this role is put together.
    Message(String),
    /// A text stands in the code.
    Text(String),
}

/// Everything of the kind in a file.
pub(super) fn find(file: &TextFile, tree: &syn::File) -> Vec<ByHand> {
    let mut hands = Hands {
        file,
        found: Vec::new(),
    };
    hands.visit_file(tree);
    hands.found
}

/// Finds messages and markers that are written by hand.
struct Hands<'a> {
    file: &'a TextFile,
    found: Vec<ByHand>,
}

impl Hands<'_> {
    fn push(&mut self, span: Span, what: Hand) {
        self.found.push(ByHand {
            file: self.file.path.clone(),
            line: span.start().line,
            what,
        });
    }

    /// The texts among the words of a macro.
    fn tokens(&mut self, tokens: TokenStream) {
        for token in tokens {
            match token {
                TokenTree::Group(group) => self.tokens(group.stream()),
                TokenTree::Literal(literal) => {
                    if let syn::Lit::Str(text) = syn::Lit::new(literal) {
                        self.push(text.span(), Hand::Text(text.value()));
                    }
                }
                TokenTree::Ident(_) | TokenTree::Punct(_) => {}
            }
        }
    }

    fn message(&mut self, role: &Expr, span: Span) {
        let text: String = quote_path(role);
        if let Some(role) = text
            .strip_prefix("Role::")
            .filter(|role| matches!(*role, "User" | "Developer"))
        {
            self.push(span, Hand::Message(role.to_lowercase()));
        }
    }
}

/// The last two names of a path.
fn quote_path(expr: &Expr) -> String {
    let Expr::Path(path) = expr else {
        return String::new();
    };
    let names: Vec<String> = path
        .path
        .segments
        .iter()
        .map(|segment| segment.ident.to_string())
        .collect();
    names
        .get(names.len().saturating_sub(2)..)
        .unwrap_or_default()
        .join("::")
}

impl<'ast> Visit<'ast> for Hands<'_> {
    fn visit_item_mod(&mut self, found: &'ast syn::ItemMod) {
        if !is_for_tests(&found.attrs) {
            visit::visit_item_mod(self, found);
        }
    }

    fn visit_attribute(&mut self, _: &'ast Attribute) {
        // Documentation may name markers.
    }

    fn visit_expr_call(&mut self, call: &'ast syn::ExprCall) {
        if quote_path(&call.func) == "Message::new"
            && let Some(role) = call.args.first()
        {
            self.message(role, call.func.span());
        }
        visit::visit_expr_call(self, call);
    }

    fn visit_expr_struct(&mut self, made: &'ast syn::ExprStruct) {
        if made
            .path
            .segments
            .last()
            .is_some_and(|last| last.ident == "Message")
        {
            for field in &made.fields {
                if matches!(&field.member, syn::Member::Named(name) if name == "role") {
                    self.message(&field.expr, made.path.span());
                }
            }
        }
        visit::visit_expr_struct(self, made);
    }

    fn visit_macro(&mut self, found: &'ast syn::Macro) {
        // What a macro makes of its words is not known; most read as expressions.
        let words = Punctuated::<Expr, Token![,]>::parse_terminated;
        match found.parse_body_with(words) {
            Ok(expressions) => {
                let mut inner = Hands {
                    file: self.file,
                    found: Vec::new(),
                };
                for expression in &expressions {
                    inner.visit_expr(expression);
                }
                self.found.append(&mut inner.found);
            }
            Err(_) => self.tokens(found.tokens.clone()),
        }
    }

    fn visit_lit_str(&mut self, text: &'ast syn::LitStr) {
        self.push(text.span(), Hand::Text(text.value()));
    }
}
