//! Texts, CDATA sections, comments and instructions.

use crate::errors::{self, fail};
use crate::objects::{hold, is_modern, this, wrap};
use phlox_libxml::{Kind, Node, is_valid};
use phlox_runtime::{Call, PhpResult, Val};

fn constructed(call: &Call<'_>, made: Option<Node>) -> PhpResult<Val> {
    match made {
        Some(node) => {
            hold(call.this(), node);
            Ok(Val::NULL)
        }
        None => Err(errors::raise(call.vm, errors::INVALID_STATE)),
    }
}

/// `DOMText::__construct()`.
pub fn construct_text(call: &mut Call<'_>) -> PhpResult<Val> {
    constructed(call, Node::new_text(None, &call.str(0)))
}

/// `DOMCdataSection::__construct()`.
pub fn construct_cdata(call: &mut Call<'_>) -> PhpResult<Val> {
    constructed(call, Node::new_cdata(None, &call.str(0)))
}

/// `DOMComment::__construct()`.
pub fn construct_comment(call: &mut Call<'_>) -> PhpResult<Val> {
    constructed(call, Node::new_comment(None, &call.str(0)))
}

/// `DOMProcessingInstruction::__construct()`.
pub fn construct_instruction(call: &mut Call<'_>) -> PhpResult<Val> {
    let name = call.str(0);
    if !is_valid(&name, false) {
        return Err(errors::raise(call.vm, errors::INVALID_CHARACTER));
    }
    constructed(call, Node::new_instruction(None, &name, call.was_passed(1).then_some(&call.str(1)[..])))
}

/// `DOMEntityReference::__construct()`.
pub fn construct_reference(call: &mut Call<'_>) -> PhpResult<Val> {
    let name = call.str(0);
    if !is_valid(&name, false) {
        return Err(errors::raise(call.vm, errors::INVALID_CHARACTER));
    }
    constructed(call, Node::new_reference(None, &name))
}

/// `DOMDocumentFragment::__construct()`.
pub fn construct_fragment(call: &mut Call<'_>) -> PhpResult<Val> {
    constructed(call, Node::new_fragment(None))
}

fn data(node: &Node) -> Vec<u8> {
    node.own_text().unwrap_or_default()
}

/// The number of UTF-8 characters. Continuation bytes do not count.
fn characters(bytes: &[u8]) -> usize {
    bytes.iter().filter(|&&byte| byte & 0xc0 != 0x80).count()
}

/// The byte offset at which the character with this index begins.
fn place(bytes: &[u8], character: usize) -> usize {
    let mut starts = bytes.iter().enumerate().filter(|&(_, &byte)| byte & 0xc0 != 0x80).map(|(at, _)| at);
    starts.nth(character).unwrap_or(bytes.len())
}

/// Reads `DOMCharacterData::$data` and `Dom\CharacterData::$data`.
pub fn get_data(call: &mut Call<'_>) -> PhpResult<Val> {
    Ok(Val::str(&data(&this(call)?)))
}

/// Sets `DOMCharacterData::$data` and `Dom\CharacterData::$data`.
pub fn set_data(call: &mut Call<'_>) -> PhpResult<Val> {
    this(call)?.set_own_text(&call.str(0));
    Ok(Val::NULL)
}

/// Reads `DOMCharacterData::$length` and `Dom\CharacterData::$length`: in characters.
pub fn get_length(call: &mut Call<'_>) -> PhpResult<Val> {
    Ok(Val::int(characters(&data(&this(call)?)) as i64))
}

/// Offset and count of a call, in characters, within the text. `Err`: the call was refused and returns this value.
fn range(call: &Call<'_>, node: &Node, length: usize) -> PhpResult<Result<(usize, usize), Val>> {
    let (offset, count) = (call.int(0), call.int(1));
    if is_modern(node) {
        // The DOM standard's `unsigned long` has 32 bits.
        let offset = offset as u32 as usize;
        if offset > length {
            return Err(errors::raise(call.vm, errors::INDEX_SIZE));
        }
        return Ok(Ok((offset, (count as u32 as usize).min(length - offset))));
    }
    let refused = |call: &Call<'_>| fail(call, node, errors::INDEX_SIZE).map(Err);
    let (Ok(offset), Ok(count)) = (usize::try_from(offset), usize::try_from(count)) else { return refused(call) };
    if offset > length || u32::try_from(offset).is_err() || u32::try_from(count).is_err() {
        return refused(call);
    }
    Ok(Ok((offset, count.min(length - offset))))
}

/// `DOMCharacterData::substringData()` and `Dom\CharacterData::substringData()`.
pub fn substring_data(call: &mut Call<'_>) -> PhpResult<Val> {
    let node = this(call)?;
    if i32::try_from(call.int(0)).is_err() || i32::try_from(call.int(1)).is_err() {
        return fail(call, &node, errors::INDEX_SIZE);
    }
    let text = data(&node);
    let (offset, count) = match range(call, &node, characters(&text))? {
        Ok(range) => range,
        Err(refused) => return Ok(refused),
    };
    Ok(Val::str(&text[place(&text, offset)..place(&text, offset + count)]))
}

/// `DOMCharacterData::appendData()` and `Dom\CharacterData::appendData()`.
pub fn append_data(call: &mut Call<'_>) -> PhpResult<Val> {
    let node = this(call)?;
    node.append_own_text(&call.str(0));
    Ok(if is_modern(&node) { Val::NULL } else { true.into() })
}

/// Replaces a range of characters of a node's text, and gives the result of the PHP method.
fn replace(call: &Call<'_>, node: &Node, (offset, count): (usize, usize), with: &[u8]) -> Val {
    let text = data(node);
    let (start, end) = (place(&text, offset), place(&text, offset + count));
    node.set_own_text(&[&text[..start], with, &text[end..]].concat());
    let _ = call;
    if is_modern(node) { Val::NULL } else { true.into() }
}

/// `DOMCharacterData::insertData()` and `Dom\CharacterData::insertData()`.
pub fn insert_data(call: &mut Call<'_>) -> PhpResult<Val> {
    let node = this(call)?;
    let length = characters(&data(&node));
    let offset = call.int(0);
    let offset = if is_modern(&node) { i64::from(offset as u32) } else { offset };
    match usize::try_from(offset) {
        Ok(offset) if offset <= length => Ok(replace(call, &node, (offset, 0), &call.str(1))),
        _ if is_modern(&node) => Err(errors::raise(call.vm, errors::INDEX_SIZE)),
        _ => fail(call, &node, errors::INDEX_SIZE),
    }
}

/// `DOMCharacterData::deleteData()` and `Dom\CharacterData::deleteData()`.
pub fn delete_data(call: &mut Call<'_>) -> PhpResult<Val> {
    let node = this(call)?;
    match range(call, &node, characters(&data(&node)))? {
        Ok(range) => Ok(replace(call, &node, range, b"")),
        Err(refused) => Ok(refused),
    }
}

/// `DOMCharacterData::replaceData()` and `Dom\CharacterData::replaceData()`.
pub fn replace_data(call: &mut Call<'_>) -> PhpResult<Val> {
    let node = this(call)?;
    match range(call, &node, characters(&data(&node)))? {
        Ok(range) => Ok(replace(call, &node, range, &call.str(2))),
        Err(refused) => Ok(refused),
    }
}

/// `DOMText::splitText()` and `Dom\Text::splitText()`.
pub fn split_text(call: &mut Call<'_>) -> PhpResult<Val> {
    let node = this(call)?;
    let text = data(&node);
    let length = characters(&text);
    let offset = call.int(0);
    if offset < 0 {
        return Err(call.value_error(0, "must be greater than or equal to 0"));
    }
    let Some(offset) = usize::try_from(offset).ok().filter(|&offset| offset <= length) else {
        return if is_modern(&node) { Err(errors::raise(call.vm, errors::INDEX_SIZE)) } else { Ok(false.into()) };
    };
    let at = place(&text, offset);
    let document = node.document();
    let Some(rest) = Node::new_text(document.as_ref(), &text[at..]) else {
        return Err(errors::raise(call.vm, errors::INVALID_STATE));
    };
    node.set_own_text(&text[..at]);
    if let Some(parent) = node.parent() {
        parent.insert_child(&rest, node.next().as_ref());
    }
    wrap(call.vm, &rest)
}

/// Reads `DOMText::$wholeText` and `Dom\Text::$wholeText`: the text of this node and of the texts and CDATA sections
/// next to it.
pub fn get_whole_text(call: &mut Call<'_>) -> PhpResult<Val> {
    let node = this(call)?;
    let is_text = |node: &Node| matches!(node.kind(), Kind::Text | Kind::CData);
    let first = std::iter::successors(Some(node), |node| node.previous().filter(is_text)).last();
    let mut whole = Vec::new();
    for part in std::iter::successors(first, |node| node.next().filter(is_text)) {
        whole.extend(data(&part));
    }
    Ok(Val::str(&whole))
}

/// `DOMText::isWhitespaceInElementContent()`.
pub fn is_whitespace_in_element_content(call: &mut Call<'_>) -> PhpResult<Val> {
    Ok(this(call)?.is_blank().into())
}

/// `DOMText::isElementContentWhitespace()`.
pub fn is_element_content_whitespace(call: &mut Call<'_>) -> PhpResult<Val> {
    is_whitespace_in_element_content(call)
}

/// Reads `DOMProcessingInstruction::$target` and `Dom\ProcessingInstruction::$target`.
pub fn get_target(call: &mut Call<'_>) -> PhpResult<Val> {
    Ok(Val::str(&this(call)?.name()))
}
