//! `querySelector`, `querySelectorAll`, `matches`, `closest`: finding elements by selectors of CSS.

mod parse;

use crate::errors;
use crate::lists::{self, Source};
use crate::objects::{HTML, is_html_element, this, wrap, wrap_optional};
use parse::{Combinator, Complex, List, Nth, Pseudo, Simple, Step, Test, Wrong};
use phlox_libxml::{Kind, Node};
use phlox_runtime::{Call, PhpResult, Val};

fn selectors(call: &Call<'_>) -> PhpResult<List> {
    parse::parse(&call.str(0)).map_err(|wrong| match wrong {
        Wrong::Message(message) => {
            errors::raise_with(call.vm, errors::SYNTAX, &format!("Invalid selector ({message})"))
        }
        Wrong::Blank => errors::raise_with(
            call.vm,
            errors::NOT_SUPPORTED,
            ":blank selector is not implemented because CSSWG has not yet decided its semantics \
             (https://github.com/w3c/csswg-drafts/issues/1967)",
        ),
    })
}

/// The elements below a node, in document order.
fn below(top: &Node) -> impl Iterator<Item = Node> {
    let top = top.clone();
    let mut at = top.first_child();
    std::iter::from_fn(move || {
        while let Some(node) = at.take() {
            at = node.following(&top);
            if node.is(Kind::Element) {
                return Some(node);
            }
        }
        None
    })
}

/// Gives `found`, or throws if the search needed a column combinator, which is not supported.
fn unless_columns<T>(call: &Call<'_>, list: &List, found: T) -> PhpResult<T> {
    match list.iter().flatten().any(|step| step.asks_for_column.get()) {
        true => Err(call.value_error(0, "contains an unsupported selector")),
        false => Ok(found),
    }
}

/// `Dom\DocumentFragment::querySelector()`.
pub fn query_selector(call: &mut Call<'_>) -> PhpResult<Val> {
    let (node, list) = (this(call)?, selectors(call)?);
    let found = below(&node).find(|element| fits_any(element, &list));
    wrap_optional(call.vm, unless_columns(call, &list, found)?)
}

/// `Dom\DocumentFragment::querySelectorAll()`.
pub fn query_selector_all(call: &mut Call<'_>) -> PhpResult<Val> {
    let (node, list) = (this(call)?, selectors(call)?);
    let found = below(&node).filter(|element| fits_any(element, &list)).map(|element| wrap(call.vm, &element));
    let found = found.collect::<PhpResult<Vec<Val>>>()?;
    let found = unless_columns(call, &list, found)?;
    lists::node_list(call.vm, &node, Source::Fixed(found))
}

/// `Dom\Element::matches()`.
pub fn matches(call: &mut Call<'_>) -> PhpResult<Val> {
    let (element, list) = (this(call)?, selectors(call)?);
    Ok(unless_columns(call, &list, fits_any(&element, &list))?.into())
}

/// `Dom\Element::closest()`.
pub fn closest(call: &mut Call<'_>) -> PhpResult<Val> {
    let (element, list) = (this(call)?, selectors(call)?);
    let mut at = Some(element);
    while let Some(element) = at {
        if fits_any(&element, &list) {
            return wrap(call.vm, &element);
        }
        at = parent_element(&element);
    }
    unless_columns(call, &list, Val::NULL)
}

fn parent_element(node: &Node) -> Option<Node> {
    node.parent().filter(|parent| parent.is(Kind::Element))
}

fn previous_element(node: &Node) -> Option<Node> {
    std::iter::successors(node.previous(), Node::previous).find(|node| node.is(Kind::Element))
}

fn next_element(node: &Node) -> Option<Node> {
    std::iter::successors(node.next(), Node::next).find(|node| node.is(Kind::Element))
}

fn fits_any(element: &Node, list: &List) -> bool {
    list.iter().any(|complex| fits(element, complex, None))
}

/// Whether a node matches. In a relative selector, `anchor` stands before the first compound.
fn fits(node: &Node, steps: &[Step], anchor: Option<&Node>) -> bool {
    match (steps.split_last(), anchor) {
        (None, Some(anchor)) => anchor == node,
        (None, None) => true,
        (Some((last, rest)), _) => {
            if !node.is(Kind::Element) || !last.simple.iter().all(|simple| is(node, simple)) {
                return false;
            }
            if rest.is_empty() && anchor.is_none() {
                return true;
            }
            let left = |node: &Node| fits(node, rest, anchor);
            match last.combinator {
                Combinator::Column => {
                    last.asks_for_column.set(true);
                    false
                }
                Combinator::Child => node.parent().as_ref().is_some_and(left),
                Combinator::Descendant => std::iter::successors(node.parent(), Node::parent).any(|node| left(&node)),
                Combinator::Next => previous_element(node).as_ref().is_some_and(left),
                Combinator::Subsequent => {
                    std::iter::successors(previous_element(node), previous_element).any(|node| left(&node))
                }
            }
        }
    }
}

/// Whether names of this element and its attributes are compared in lower case.
fn folds_case(element: &Node) -> bool {
    is_html_element(element) && element.document().is_some_and(|document| document.is(Kind::HtmlDocument))
}

fn is(element: &Node, simple: &Simple) -> bool {
    match simple {
        Simple::Any => true,
        Simple::Type(name) if folds_case(element) => element.name_is(&name.to_ascii_lowercase()),
        Simple::Type(name) => element.name_is(name),
        Simple::Id(id) => plain(element, b"id").is_some_and(|value| value == *id),
        Simple::Class(class) => plain(element, b"class").is_some_and(|value| has_word(&value, class, false)),
        Simple::Attribute { name, test, value, ignores_case } => {
            let name = if folds_case(element) { name.to_ascii_lowercase() } else { name.clone() };
            plain(element, &name).is_some_and(|own| passes(&own, *test, value, *ignores_case))
        }
        Simple::Pseudo(pseudo) => is_pseudo(element, *pseudo),
        Simple::Nth(nth) => is_nth(element, nth),
        Simple::Is(list) => fits_any(element, list),
        Simple::Not(list) => !fits_any(element, list),
        Simple::Has(list) => list.iter().any(|complex| has(element, complex)),
    }
}

/// The value of an attribute without a namespace.
fn plain(element: &Node, name: &[u8]) -> Option<Vec<u8>> {
    element.attribute_ns(None, name).map(|attribute| attribute.text())
}

fn same(a: &[u8], b: &[u8], ignores_case: bool) -> bool {
    if ignores_case { a.eq_ignore_ascii_case(b) } else { a == b }
}

fn has_word(value: &[u8], word: &[u8], ignores_case: bool) -> bool {
    value.split(u8::is_ascii_whitespace).any(|part| !part.is_empty() && same(part, word, ignores_case))
}

fn passes(own: &[u8], test: Test, value: &[u8], ignores_case: bool) -> bool {
    let is = |part: Option<&[u8]>| part.is_some_and(|part| same(part, value, ignores_case));
    match test {
        Test::Exists => true,
        Test::Equals => same(own, value, ignores_case),
        Test::HasWord => has_word(own, value, ignores_case),
        Test::Language => {
            same(own, value, ignores_case) || is(own.get(..value.len())) && own.get(value.len()) == Some(&b'-')
        }
        _ if value.is_empty() => false,
        Test::Starts => is(own.get(..value.len())),
        Test::Ends => is(own.len().checked_sub(value.len()).and_then(|start| own.get(start..))),
        Test::Contains => own.windows(value.len()).any(|part| same(part, value, ignores_case)),
    }
}

/// Whether an element exists that the relative selector reaches from this one.
fn has(element: &Node, complex: &Complex) -> bool {
    let sideways =
        complex.first().is_some_and(|first| matches!(first.combinator, Combinator::Next | Combinator::Subsequent));
    if !sideways {
        return below(element).any(|found| fits(&found, complex, Some(element)));
    }
    std::iter::successors(next_element(element), next_element).any(|sibling| {
        fits(&sibling, complex, Some(element)) || below(&sibling).any(|found| fits(&found, complex, Some(element)))
    })
}

fn same_type(a: &Node, b: &Node) -> bool {
    a.name() == b.name() && a.namespace_uri() == b.namespace_uri()
}

/// The place of an element, counted from 1, among the siblings for which `counts` is true.
fn place(element: &Node, from_end: bool, counts: impl Fn(&Node) -> bool) -> i64 {
    let next = if from_end { next_element } else { previous_element };
    1 + std::iter::successors(next(element), next).filter(counts).count() as i64
}

fn is_nth(element: &Node, nth: &Nth) -> bool {
    if element.parent().is_none() || nth.of.as_ref().is_some_and(|list| !fits_any(element, list)) {
        return false;
    }
    let place = place(element, nth.from_end, |sibling| match &nth.of {
        Some(list) => fits_any(sibling, list),
        None => !nth.of_type || same_type(sibling, element),
    });
    let distance = place - nth.offset;
    if nth.step == 0 { distance == 0 } else { distance % nth.step == 0 && distance / nth.step >= 0 }
}

fn is_named(element: &Node, names: &[&[u8]]) -> bool {
    is_html_element(element) && names.iter().any(|name| element.name_is(name))
}

fn is_pseudo(element: &Node, pseudo: Pseudo) -> bool {
    let has = |name: &[u8]| plain(element, name).is_some();
    let first = |from_end| place(element, from_end, |_| true) == 1;
    let first_of_type = |from_end| place(element, from_end, |sibling| same_type(sibling, element)) == 1;
    match pseudo {
        Pseudo::Never => false,
        Pseudo::AnyLink => is_named(element, &[b"a", b"area"]) && has(b"href"),
        Pseudo::Checked => {
            let switch = || {
                let kind = plain(element, b"type").unwrap_or_default().to_ascii_lowercase();
                matches!(&kind[..], b"checkbox" | b"radio") && has(b"checked")
            };
            is_named(element, &[b"input"]) && switch() || is_named(element, &[b"option"]) && has(b"selected")
        }
        Pseudo::Disabled => is_disabled(element),
        Pseudo::Enabled => !is_disabled(element),
        Pseudo::Empty => element.children().all(|child| match child.kind() {
            Kind::Element | Kind::EntityReference => false,
            Kind::Text | Kind::CData => child.own_text().is_none_or(|text| text.is_empty()),
            _ => true,
        }),
        Pseudo::FirstChild => first(false),
        Pseudo::LastChild => first(true),
        Pseudo::OnlyChild => first(false) && first(true),
        Pseudo::FirstOfType => first_of_type(false),
        Pseudo::LastOfType => first_of_type(true),
        Pseudo::OnlyOfType => first_of_type(false) && first_of_type(true),
        Pseudo::Required => is_field(element) && has(b"required"),
        Pseudo::Optional => is_field(element) && !has(b"required"),
        Pseudo::PlaceholderShown => is_named(element, &[b"input", b"textarea"]) && has(b"placeholder"),
        Pseudo::ReadWrite => is_writable(element),
        Pseudo::ReadOnly => !is_writable(element),
        Pseudo::Root => element.parent().is_some_and(|parent| parent.kind().is_document() || parent.is(Kind::Fragment)),
    }
}

fn is_field(element: &Node) -> bool {
    is_named(element, &[b"input", b"select", b"textarea"])
}

fn is_writable(element: &Node) -> bool {
    let has = |name: &[u8]| plain(element, name).is_some();
    if is_named(element, &[b"input", b"textarea"]) {
        return !has(b"readonly") && !has(b"disabled");
    }
    element.namespace_uri().as_deref() == Some(HTML)
        && plain(element, b"contenteditable").is_some_and(|value| !value.eq_ignore_ascii_case(b"false"))
}

/// Whether a control is disabled: by its own attribute, or by a fieldset around it whose first legend does not contain
/// it.
fn is_disabled(element: &Node) -> bool {
    let has = plain(element, b"disabled").is_some();
    if has && is_named(element, &[b"button", b"input", b"select", b"textarea", b"optgroup", b"fieldset"]) {
        return true;
    }
    if !is_named(element, &[b"fieldset"]) {
        return false;
    }
    let disables = |outer: &Node| is_named(outer, &[b"fieldset"]) && plain(outer, b"disabled").is_some();
    let outer = std::iter::successors(parent_element(element), parent_element).filter(disables);
    // A fieldset without a legend is skipped.
    let mut legends = outer.filter_map(|outer| outer.children().find(|child| is_named(child, &[b"legend"])));
    legends.next().is_some_and(|legend| !legend.contains(element))
}
