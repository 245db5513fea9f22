//! RecursiveTreeIterator: a tree as lines of text.

use super::recursive::{data, not_recursive, root_argument, walk};
use super::{ask, call as invoke};
use phlox_runtime::class::NativeHooks;
use phlox_runtime::{Call, NativeClass, PhpResult, PhpStr, Val, convert, iteration};

const BYPASS_CURRENT: i64 = 4;
const BYPASS_KEY: i64 = 8;

pub const CLASSES: &[NativeClass] = &[NativeClass {
    name: "RecursiveTreeIterator",
    decl: include_str!("../../stubs/RecursiveTreeIterator.stub.php"),
    methods: &[
        ("__construct", construct),
        ("key", key),
        ("current", current),
        ("getPrefix", |call| Ok(prefix(call)?.into())),
        ("setPostfix", set_postfix),
        ("setPrefixPart", set_prefix_part),
        ("getEntry", |call| Ok(entry(call)?.into())),
        ("getPostfix", |call| Ok(walk(call)?.postfix.borrow().clone().into())),
    ],
    hooks: NativeHooks::NONE,
}];

/// The root is wrapped in a RecursiveCachingIterator, which knows whether an element is the last one.
fn construct(call: &mut Call<'_>) -> PhpResult<Val> {
    let root = root_argument(call)?;
    let class = call.vm.require_class(b"RecursiveCachingIterator")?;
    let caching = call.vm.new_object(&class, vec![root.into(), Val::int(call.int(2))])?;
    if !iteration::class_implements(call.vm, caching.class_header(), b"recursiveiterator") {
        return Err(not_recursive(call.vm));
    }
    if let Some(walk) = data(call.this()) {
        walk.begin(caching, call.int(3), call.int(1));
    }
    Ok(Val::NULL)
}

fn prefix(call: &Call<'_>) -> PhpResult<PhpStr> {
    let walk = walk(call)?;
    let part = |index: usize| walk.prefix.borrow()[index].clone();
    let depth = walk.depth() as usize;
    let mut text = part(0).to_vec();
    for level in 0..=depth {
        let Some(iterator) = walk.iterator_at(level) else { break };
        let has_next = ask(call.vm, &iterator, b"hasnext")?;
        let row = if level < depth { 1 } else { 3 };
        text.extend_from_slice(&part(if has_next { row } else { row + 1 }));
    }
    text.extend_from_slice(&part(5));
    Ok(PhpStr::new(&text))
}

fn entry(call: &Call<'_>) -> PhpResult<PhpStr> {
    let data = walk(call)?.current(call.vm)?;
    if data.as_arr().is_some() {
        return Ok(PhpStr::intern(b"Array"));
    }
    convert::to_str(call.vm, &data)
}

fn current(call: &mut Call<'_>) -> PhpResult<Val> {
    let walk = walk(call)?;
    if walk.flags.get() & BYPASS_CURRENT != 0 {
        return walk.current(call.vm);
    }
    let entry = entry(call)?;
    let postfix = walk.postfix.borrow().clone();
    Ok(PhpStr::concat(&[&prefix(call)?, &entry, &postfix]).into())
}

fn key(call: &mut Call<'_>) -> PhpResult<Val> {
    let walk = walk(call)?;
    let iterator = walk.current_iterator(call.vm)?;
    let key = invoke(call.vm, &iterator, b"key")?;
    if walk.flags.get() & BYPASS_KEY != 0 {
        return Ok(key);
    }
    let key = convert::to_str(call.vm, &key)?;
    let postfix = walk.postfix.borrow().clone();
    Ok(PhpStr::concat(&[&prefix(call)?, &key, &postfix]).into())
}

fn set_postfix(call: &mut Call<'_>) -> PhpResult<Val> {
    if let Some(walk) = data(call.this()) {
        walk.postfix.replace(call.str(0));
    }
    Ok(Val::NULL)
}

fn set_prefix_part(call: &mut Call<'_>) -> PhpResult<Val> {
    let part = call.int(0);
    if !(0..=5).contains(&part) {
        return Err(call.value_error(0, "must be a RecursiveTreeIterator::PREFIX_* constant"));
    }
    if let Some(walk) = data(call.this()) {
        walk.prefix.borrow_mut()[part as usize] = call.str(1);
    }
    Ok(Val::NULL)
}
