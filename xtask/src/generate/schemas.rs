//! The document of what `--json` prints, made from the types that are printed and their comments.
//!
//! A type with a member `schema` is a document of its own; its name and version stand in its
//! comment or in that member's. Every member must have a comment.

use std::collections::{BTreeMap, BTreeSet};
use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};

use syn::{
    Attribute, Expr, ExprLit, Fields, GenericArgument, Item, Lit, Meta, PathArguments, Type,
};

use crate::workspace;

/// Where types that are printed as JSON are looked for.
const FOLDERS: [&str; 2] = ["crates/inspect/src", "crates/cli/src"];

const HEAD: &str = "# What `--json` prints

Generated from the types that are printed by `cargo xtask gen`.

Every document says in its member `schema` what it is and in which version: `annals.cache/1`.
A version changes when a member goes away or means something else; members may be added at any time, so a reader passes over those that it does not know.
Sizes are bytes, times are UTC as they stand in the file, lines count from 1, and a `turn` is the user turn that survived, from 1.
Standard output holds results only.
A command that could not do its work says so on standard error, as one line of JSON, [`annals.error/1`](#annalserror1), with the exit code that [the manual](cli.md) gives; notes and warnings beside it are lines of words that do not start with `{`.
`prompt-input` prints the model's input as it was sent, without a schema, and `export --format jsonl` prints records as they stand in the file.";

/// A type that is printed.
#[derive(Debug)]
struct Printed {
    doc: String,
    /// Name, type in words, and comment of each member; or word and comment of each value.
    rows: Vec<[String; 3]>,
    is_choice: bool,
    /// Names of the types that it holds.
    holds: BTreeSet<String>,
    schema: Option<String>,
}

/// The document.
pub(super) fn document() -> Result<String, Box<dyn Error>> {
    let mut types = BTreeMap::new();
    for folder in FOLDERS {
        let mut files = Vec::new();
        sources(&workspace::root().join(folder), &mut files)?;
        for file in files {
            read(&fs::read_to_string(&file)?, &mut types)
                .map_err(|error| format!("{}: {error}", file.display()))?;
        }
    }
    let mut text = HEAD.to_owned();
    let mut wanted = BTreeSet::new();
    let mut documents: Vec<&Printed> = types.values().filter(|one| one.schema.is_some()).collect();
    documents.sort_by(|one, other| one.schema.cmp(&other.schema));
    for document in documents {
        wanted.extend(document.holds.iter().cloned());
        let schema = document.schema.as_deref().unwrap_or_default();
        write(&mut text, "##", &format!("`{schema}`"), document);
    }
    text += "\n\n## Parts of these";
    let mut shown = BTreeSet::new();
    while let Some(name) = wanted.pop_first() {
        let Some(part) = types.get(&name).filter(|part| part.schema.is_none()) else {
            continue;
        };
        if shown.insert(name.clone()) {
            wanted.extend(
                part.holds
                    .iter()
                    .filter(|held| !shown.contains(*held))
                    .cloned(),
            );
        }
    }
    for name in &shown {
        if let Some(part) = types.get(name) {
            write(&mut text, "###", name, part);
        }
    }
    Ok(text)
}

fn sources(folder: &Path, found: &mut Vec<PathBuf>) -> Result<(), Box<dyn Error>> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let name = path.to_string_lossy();
        if path.is_dir() {
            sources(&path, found)?;
        } else if name.ends_with(".rs") && !name.ends_with("_tests.rs") {
            found.push(path);
        }
    }
    found.sort();
    Ok(())
}

/// Finds every type that is printed.
fn read(source: &str, types: &mut BTreeMap<String, Printed>) -> Result<(), Box<dyn Error>> {
    for item in syn::parse_file(source)?.items {
        let (name, printed) = match item {
            Item::Struct(item) if is_printed(&item.attrs) => {
                let printed = of_struct(&item)?;
                (item.ident.to_string(), printed)
            }
            Item::Enum(item) if is_printed(&item.attrs) => {
                let rows = item.variants.iter().map(|variant| {
                    let word = snake_case(&variant.ident.to_string());
                    [word, String::new(), comment(&variant.attrs)]
                });
                let printed = Printed {
                    doc: comment(&item.attrs),
                    rows: rows.collect(),
                    is_choice: true,
                    holds: BTreeSet::new(),
                    schema: None,
                };
                (item.ident.to_string(), printed)
            }
            _ => continue,
        };
        types.insert(name, printed);
    }
    Ok(())
}

fn of_struct(item: &syn::ItemStruct) -> Result<Printed, Box<dyn Error>> {
    let doc = comment(&item.attrs);
    let mut holds = BTreeSet::new();
    let (mut rows, mut schema) = (Vec::new(), None);
    let Fields::Named(fields) = &item.fields else {
        return Err(format!("{} has no named members", item.ident).into());
    };
    for field in &fields.named {
        let name = field
            .ident
            .as_ref()
            .map(ToString::to_string)
            .unwrap_or_default();
        let about = comment(&field.attrs);
        if name == "schema" {
            let words = format!("{about} {doc}");
            schema = words
                .split('`')
                .find(|word| word.starts_with("annals.") && word.contains('/'))
                .map(str::to_owned);
            if schema.is_none() {
                return Err(format!("no comment of {} names its schema", item.ident).into());
            }
            continue;
        }
        if about.is_empty() {
            return Err(format!("{}.{name} has no comment", item.ident).into());
        }
        let shape = words(&field.ty, &mut holds);
        let name = if is_flat(&field.attrs) {
            "…".to_owned()
        } else {
            format!("`{name}`")
        };
        rows.push([name, shape, about]);
    }
    Ok(Printed {
        doc,
        rows,
        is_choice: false,
        holds,
        schema,
    })
}

/// Whether a type is written by a derived `Serialize`.
fn is_printed(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| match &attribute.meta {
        Meta::List(list) if list.path.is_ident("derive") => list
            .tokens
            .to_string()
            .split(',')
            .any(|name| name.trim() == "Serialize"),
        _ => false,
    })
}

/// Whether a member's own members stand in its place.
fn is_flat(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| match &attribute.meta {
        Meta::List(list) => list.path.is_ident("serde") && list.tokens.to_string() == "flatten",
        _ => false,
    })
}

/// The first paragraph of a comment, without links of rustdoc.
fn comment(attributes: &[Attribute]) -> String {
    let mut words = Vec::new();
    for attribute in attributes {
        let Meta::NameValue(pair) = &attribute.meta else {
            continue;
        };
        let Expr::Lit(ExprLit {
            lit: Lit::Str(text),
            ..
        }) = &pair.value
        else {
            continue;
        };
        if !pair.path.is_ident("doc") {
            continue;
        }
        let text = text.value().trim().to_owned();
        if text.is_empty() && !words.is_empty() {
            break;
        }
        words.push(text);
    }
    words
        .join(" ")
        .replace("[`", "`")
        .replace("`]", "`")
        .replace('|', "\\|")
}

/// A type in words, as JSON has it.
fn words(shape: &Type, holds: &mut BTreeSet<String>) -> String {
    match shape {
        Type::Reference(reference) => words(&reference.elem, holds),
        Type::Tuple(tuple) => {
            let parts: Vec<String> = tuple.elems.iter().map(|part| words(part, holds)).collect();
            format!("array of {}", parts.join(" and "))
        }
        Type::Path(path) => {
            let Some(last) = path.path.segments.last() else {
                return String::new();
            };
            let mut inner: Vec<String> = Vec::new();
            if let PathArguments::AngleBracketed(list) = &last.arguments {
                for argument in &list.args {
                    if let GenericArgument::Type(part) = argument {
                        inner.push(words(part, holds));
                    }
                }
            }
            let part = inner.last().cloned().unwrap_or_default();
            match last.ident.to_string().as_str() {
                "Option" => format!("{part} or null"),
                "Vec" | "BTreeSet" => format!("array: {part}"),
                "BTreeMap" => format!("object: {part}"),
                "String" | "str" | "Cow" => "string".to_owned(),
                "bool" => "true or false".to_owned(),
                "u32" | "u64" | "usize" | "f64" => "number".to_owned(),
                "Value" => "any JSON".to_owned(),
                name => {
                    holds.insert(name.to_owned());
                    format!("[{name}](#{})", name.to_lowercase())
                }
            }
        }
        _ => String::new(),
    }
}

fn snake_case(name: &str) -> String {
    let mut text = String::new();
    for character in name.chars() {
        if character.is_uppercase() && !text.is_empty() {
            text.push('_');
        }
        text.extend(character.to_lowercase());
    }
    text
}

fn write(text: &mut String, level: &str, name: &str, printed: &Printed) {
    let head = if printed.is_choice {
        "| word | means |\n| --- | --- |"
    } else {
        "| member | is | what |\n| --- | --- | --- |"
    };
    text.extend(["\n\n", level, " ", name, "\n\n", &printed.doc, "\n\n", head]);
    for [name, shape, about] in &printed.rows {
        if printed.is_choice {
            text.extend(["\n| `", name, "` | ", about, " |"]);
        } else {
            text.extend(["\n| ", name, " | ", shape, " | ", about, " |"]);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::{read, snake_case};

    #[test]
    fn a_type_is_told_by_its_members_and_their_comments() {
        let source = "
            /// A light.
            #[derive(Debug, Serialize)]
            pub struct Light {
                /// `annals.light/1`
                pub schema: &'static str,
                /// Its range.
                pub range: Option<u64>,
                /// Its colors.
                pub colors: Vec<Color>,
            }
            struct NotPrinted { x: u8 }
        ";
        let mut types = BTreeMap::new();
        read(source, &mut types).unwrap();
        assert_eq!(types.len(), 1);
        let light = &types["Light"];
        assert_eq!(light.schema.as_deref(), Some("annals.light/1"));
        assert_eq!(light.rows[0], ["`range`", "number or null", "Its range."]);
        assert_eq!(light.rows[1][1], "array: [Color](#color)");
        let bare = source.replace("/// Its range.", "");
        assert!(read(&bare, &mut BTreeMap::new()).is_err());
    }

    #[test]
    fn values_are_written_in_lower_case() {
        assert_eq!(snake_case("LateOutput"), "late_output");
    }
}
