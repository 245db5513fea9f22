//! libxml2's functions and the part of its structures that has not changed since 2.6 (they are its ABI).

use std::ffi::{c_char, c_double, c_int, c_long, c_ushort, c_void};

pub type XmlChar = u8;

/// The fields that all nodes of a tree begin with.
#[repr(C)]
pub struct XmlHead {
    pub private: *mut c_void,
    pub kind: c_int,
    pub name: *const XmlChar,
    pub children: *mut XmlNode,
    pub last: *mut XmlNode,
    pub parent: *mut XmlNode,
    pub next: *mut XmlNode,
    pub prev: *mut XmlNode,
    pub doc: *mut XmlDoc,
}

/// Elements, texts, comments and similar nodes. Pointers to it may point to a node of any kind.
#[repr(C)]
pub struct XmlNode {
    pub private: *mut c_void,
    pub kind: c_int,
    pub name: *const XmlChar,
    pub children: *mut XmlNode,
    pub last: *mut XmlNode,
    pub parent: *mut XmlNode,
    pub next: *mut XmlNode,
    pub prev: *mut XmlNode,
    pub doc: *mut XmlDoc,
    // Documents and declarations do not have this field.
    pub ns: *mut XmlNs,
    // Attributes do not have this field.
    pub content: *mut XmlChar,
    pub properties: *mut XmlNode,
    pub ns_def: *mut XmlNs,
    pub psvi: *mut c_void,
    pub line: c_ushort,
    pub extra: c_ushort,
}

#[repr(C)]
pub struct XmlAttr {
    pub private: *mut c_void,
    pub kind: c_int,
    pub name: *const XmlChar,
    pub children: *mut XmlNode,
    pub last: *mut XmlNode,
    pub parent: *mut XmlNode,
    pub next: *mut XmlNode,
    pub prev: *mut XmlNode,
    pub doc: *mut XmlDoc,
    pub ns: *mut XmlNs,
    pub attribute_type: c_int,
    pub psvi: *mut c_void,
}

#[repr(C)]
pub struct XmlDoc {
    pub private: *mut c_void,
    pub kind: c_int,
    pub name: *const c_char,
    pub children: *mut XmlNode,
    pub last: *mut XmlNode,
    pub parent: *mut XmlNode,
    pub next: *mut XmlNode,
    pub prev: *mut XmlNode,
    pub doc: *mut XmlDoc,
    pub compression: c_int,
    pub standalone: c_int,
    pub internal_subset: *mut XmlDtd,
    pub external_subset: *mut XmlDtd,
    pub old_ns: *mut XmlNs,
    pub version: *mut XmlChar,
    pub encoding: *mut XmlChar,
    pub ids: *mut c_void,
    pub refs: *mut c_void,
    pub url: *mut XmlChar,
    pub charset: c_int,
    pub dict: *mut c_void,
    pub psvi: *mut c_void,
    pub parse_flags: c_int,
    pub properties: c_int,
}

#[repr(C)]
pub struct XmlDtd {
    pub private: *mut c_void,
    pub kind: c_int,
    pub name: *const XmlChar,
    pub children: *mut XmlNode,
    pub last: *mut XmlNode,
    pub parent: *mut XmlNode,
    pub next: *mut XmlNode,
    pub prev: *mut XmlNode,
    pub doc: *mut XmlDoc,
    pub notations: *mut c_void,
    pub elements: *mut c_void,
    pub attributes: *mut c_void,
    pub entities: *mut c_void,
    pub external_id: *const XmlChar,
    pub system_id: *const XmlChar,
    pub parameter_entities: *mut c_void,
}

#[repr(C)]
pub struct XmlEntity {
    pub private: *mut c_void,
    pub kind: c_int,
    pub name: *const XmlChar,
    pub children: *mut XmlNode,
    pub last: *mut XmlNode,
    pub parent: *mut XmlNode,
    pub next: *mut XmlNode,
    pub prev: *mut XmlNode,
    pub doc: *mut XmlDoc,
    pub original: *mut XmlChar,
    pub content: *mut XmlChar,
    pub length: c_int,
    pub entity_type: c_int,
    pub external_id: *const XmlChar,
    pub system_id: *const XmlChar,
}

#[repr(C)]
pub struct XmlAttributeDeclaration {
    pub private: *mut c_void,
    pub kind: c_int,
    pub name: *const XmlChar,
    pub children: *mut XmlNode,
    pub last: *mut XmlNode,
    pub parent: *mut XmlNode,
    pub next: *mut XmlNode,
    pub prev: *mut XmlNode,
    pub doc: *mut XmlDoc,
    pub next_in_element: *mut XmlAttributeDeclaration,
    pub attribute_type: c_int,
    pub default_kind: c_int,
    pub default_value: *const XmlChar,
}

#[repr(C)]
pub struct XmlNs {
    pub next: *mut XmlNs,
    pub kind: c_int,
    pub href: *const XmlChar,
    pub prefix: *const XmlChar,
    pub private: *mut c_void,
    pub context: *mut XmlDoc,
}

#[repr(C)]
pub struct XmlNotation {
    pub name: *const XmlChar,
    pub public_id: *const XmlChar,
    pub system_id: *const XmlChar,
}

#[repr(C)]
pub struct XmlNodeSet {
    pub count: c_int,
    pub room: c_int,
    pub table: *mut *mut XmlNode,
}

#[repr(C)]
pub struct XPathObject {
    pub kind: c_int,
    pub nodes: *mut XmlNodeSet,
    pub boolean: c_int,
    pub number: c_double,
    pub string: *mut XmlChar,
}

#[repr(C)]
pub struct XmlError {
    pub domain: c_int,
    pub code: c_int,
    pub message: *mut c_char,
    pub level: c_int,
    pub file: *mut c_char,
    pub line: c_int,
    pub str1: *mut c_char,
    pub str2: *mut c_char,
    pub str3: *mut c_char,
    pub int1: c_int,
    pub column: c_int,
    pub ctxt: *mut c_void,
    pub node: *mut c_void,
}

macro_rules! opaque {
    ($($name:ident)*) => { $(#[repr(C)] pub struct $name { _private: [u8; 0] })* };
}
opaque! {
    EventParser ParserCtxt XPathContext XPathParserContext Reader TextWriter Buffer OutputBuffer SaveCtxt InputBuffer ParserInput
    Schema SchemaParserCtxt SchemaValidCtxt RelaxNg RelaxNgParserCtxt RelaxNgValidCtxt ValidCtxt CharEncodingHandler
}

pub type StructuredErrorFunc = unsafe extern "C" fn(*mut c_void, *mut XmlError);
pub type OpenInputFunc = unsafe extern "C" fn(*const c_char, c_int) -> *mut InputBuffer;
pub type EntityLoader = unsafe extern "C" fn(*const c_char, *const c_char, *mut ParserCtxt) -> *mut ParserInput;
pub type XPathFunction = unsafe extern "C" fn(*mut XPathParserContext, c_int);

unsafe extern "C" {
    pub fn xmlInitParser();
    /// Sets functions that count what libxml2 allocates. It is in the shim.
    pub fn phlox_libxml_count_memory();
    pub fn xmlSetStructuredErrorFunc(context: *mut c_void, handler: Option<StructuredErrorFunc>);
    pub fn xmlResetLastError();
    pub fn xmlGetLastError() -> *mut XmlError;
    pub fn xmlParserInputBufferCreateFilenameDefault(f: Option<OpenInputFunc>) -> Option<OpenInputFunc>;
    pub fn xmlParserInputBufferCreateMem(bytes: *const c_char, length: c_int, encoding: c_int) -> *mut InputBuffer;
    pub fn xmlSetExternalEntityLoader(f: Option<EntityLoader>);
    pub fn xmlGetExternalEntityLoader() -> Option<EntityLoader>;
    pub fn xmlNewIOInputStream(c: *mut ParserCtxt, input: *mut InputBuffer, encoding: c_int) -> *mut ParserInput;
    pub fn xmlNewInputFromFile(c: *mut ParserCtxt, name: *const c_char) -> *mut ParserInput;
    pub static xmlFree: unsafe extern "C" fn(*mut c_void);

    pub fn xmlCreateMemoryParserCtxt(bytes: *const c_char, length: c_int) -> *mut ParserCtxt;
    pub fn xmlCreateFileParserCtxt(name: *const c_char) -> *mut ParserCtxt;
    pub fn xmlCtxtUseOptions(c: *mut ParserCtxt, options: c_int) -> c_int;
    pub fn xmlParseDocument(c: *mut ParserCtxt) -> c_int;
    pub fn xmlFreeParserCtxt(c: *mut ParserCtxt);
    pub fn xmlSwitchToEncoding(c: *mut ParserCtxt, handler: *mut CharEncodingHandler) -> c_int;
    pub fn xmlFindCharEncodingHandler(name: *const c_char) -> *mut CharEncodingHandler;
    pub fn xmlCharEncCloseFunc(handler: *mut CharEncodingHandler) -> c_int;
    pub fn htmlCreateMemoryParserCtxt(bytes: *const c_char, length: c_int) -> *mut ParserCtxt;
    pub fn htmlCreateFileParserCtxt(name: *const c_char, encoding: *const c_char) -> *mut ParserCtxt;
    pub fn htmlCtxtUseOptions(c: *mut ParserCtxt, options: c_int) -> c_int;
    pub fn htmlParseDocument(c: *mut ParserCtxt) -> c_int;
    pub fn htmlFreeParserCtxt(c: *mut ParserCtxt);

    pub fn xmlNewDoc(version: *const XmlChar) -> *mut XmlDoc;
    pub fn htmlNewDocNoDtD(uri: *const XmlChar, id: *const XmlChar) -> *mut XmlDoc;
    pub fn xmlFreeDoc(doc: *mut XmlDoc);
    pub fn xmlCopyDoc(doc: *mut XmlDoc, recursive: c_int) -> *mut XmlDoc;
    pub fn xmlNewDocNode(
        doc: *mut XmlDoc,
        ns: *mut XmlNs,
        name: *const XmlChar,
        content: *const XmlChar,
    ) -> *mut XmlNode;
    pub fn xmlNewDocTextLen(doc: *mut XmlDoc, content: *const XmlChar, length: c_int) -> *mut XmlNode;
    pub fn xmlNewCDataBlock(doc: *mut XmlDoc, content: *const XmlChar, length: c_int) -> *mut XmlNode;
    pub fn xmlNewDocComment(doc: *mut XmlDoc, content: *const XmlChar) -> *mut XmlNode;
    pub fn xmlNewDocPI(doc: *mut XmlDoc, name: *const XmlChar, content: *const XmlChar) -> *mut XmlNode;
    pub fn xmlNewDocFragment(doc: *mut XmlDoc) -> *mut XmlNode;
    pub fn xmlNewReference(doc: *mut XmlDoc, name: *const XmlChar) -> *mut XmlNode;
    pub fn xmlNewDocProp(doc: *mut XmlDoc, name: *const XmlChar, value: *const XmlChar) -> *mut XmlNode;
    pub fn xmlCreateIntSubset(
        doc: *mut XmlDoc,
        name: *const XmlChar,
        external: *const XmlChar,
        system: *const XmlChar,
    ) -> *mut XmlDtd;
    pub fn xmlGetIntSubset(doc: *const XmlDoc) -> *mut XmlDtd;
    pub fn xmlCopyDtd(dtd: *mut XmlDtd) -> *mut XmlDtd;
    pub fn xmlStrdup(text: *const XmlChar) -> *mut XmlChar;
    pub fn xmlDictOwns(dict: *mut c_void, text: *const XmlChar) -> c_int;
    pub fn xmlDictLookup(dict: *mut c_void, text: *const XmlChar, length: c_int) -> *const XmlChar;
    pub fn xmlFreeDtd(dtd: *mut XmlDtd);
    pub fn xmlFreeNode(node: *mut XmlNode);
    pub fn xmlFreeProp(attribute: *mut XmlNode);
    pub fn xmlFreeNs(ns: *mut XmlNs);
    pub fn xmlUnlinkNode(node: *mut XmlNode);
    pub fn xmlSetTreeDoc(node: *mut XmlNode, doc: *mut XmlDoc);
    pub fn xmlDocCopyNode(node: *mut XmlNode, doc: *mut XmlDoc, extended: c_int) -> *mut XmlNode;
    pub fn xmlCopyProp(target: *mut XmlNode, attribute: *mut XmlNode) -> *mut XmlNode;
    pub fn xmlNodeSetContentLen(node: *mut XmlNode, content: *const XmlChar, length: c_int);
    pub fn xmlNodeAddContentLen(node: *mut XmlNode, content: *const XmlChar, length: c_int);
    pub fn xmlNodeSetName(node: *mut XmlNode, name: *const XmlChar);
    pub fn xmlNodeGetContent(node: *const XmlNode) -> *mut XmlChar;
    pub fn xmlNodeListGetString(doc: *mut XmlDoc, list: *const XmlNode, in_line: c_int) -> *mut XmlChar;
    pub fn xmlStringLenGetNodeList(doc: *const XmlDoc, value: *const XmlChar, length: c_int) -> *mut XmlNode;
    pub fn xmlNodeGetBase(doc: *const XmlDoc, node: *const XmlNode) -> *mut XmlChar;
    pub fn xmlGetNodePath(node: *const XmlNode) -> *mut XmlChar;
    pub fn xmlGetLineNo(node: *const XmlNode) -> c_long;
    pub fn xmlIsBlankNode(node: *const XmlNode) -> c_int;
    pub fn xmlSearchNs(doc: *mut XmlDoc, node: *mut XmlNode, prefix: *const XmlChar) -> *mut XmlNs;
    pub fn xmlSearchNsByHref(doc: *mut XmlDoc, node: *mut XmlNode, href: *const XmlChar) -> *mut XmlNs;
    pub fn xmlNewNs(node: *mut XmlNode, href: *const XmlChar, prefix: *const XmlChar) -> *mut XmlNs;
    pub fn xmlGetNsList(doc: *const XmlDoc, node: *const XmlNode) -> *mut *mut XmlNs;
    pub fn xmlSetNs(node: *mut XmlNode, ns: *mut XmlNs);
    pub fn xmlReconciliateNs(doc: *mut XmlDoc, tree: *mut XmlNode) -> c_int;
    pub fn xmlValidateName(value: *const XmlChar, space: c_int) -> c_int;
    pub fn xmlValidateQName(value: *const XmlChar, space: c_int) -> c_int;
    pub fn xmlGetID(doc: *mut XmlDoc, id: *const XmlChar) -> *mut XmlNode;
    pub fn xmlAddID(c: *mut ValidCtxt, doc: *mut XmlDoc, value: *const XmlChar, attr: *mut XmlNode) -> *mut c_void;
    pub fn xmlRemoveID(doc: *mut XmlDoc, attr: *mut XmlNode) -> c_int;
    pub fn xmlIsID(doc: *mut XmlDoc, element: *mut XmlNode, attr: *mut XmlNode) -> c_int;
    pub fn xmlHasProp(node: *const XmlNode, name: *const XmlChar) -> *mut XmlNode;
    pub fn xmlHasNsProp(node: *const XmlNode, name: *const XmlChar, uri: *const XmlChar) -> *mut XmlNode;
    pub fn xmlHashLookup(table: *mut c_void, name: *const XmlChar) -> *mut c_void;
    pub fn xmlHashScan(
        table: *mut c_void,
        f: Option<unsafe extern "C" fn(*mut c_void, *mut c_void, *const XmlChar)>,
        data: *mut c_void,
    );

    pub fn xmlBufferCreate() -> *mut Buffer;
    pub fn xmlBufferFree(buffer: *mut Buffer);
    pub fn xmlBufferContent(buffer: *const Buffer) -> *const XmlChar;
    pub fn xmlBufferLength(buffer: *const Buffer) -> c_int;
    pub fn xmlBufferEmpty(buffer: *mut Buffer);
    pub fn xmlSaveToBuffer(buffer: *mut Buffer, encoding: *const c_char, options: c_int) -> *mut SaveCtxt;
    pub fn xmlSaveDoc(c: *mut SaveCtxt, doc: *mut XmlDoc) -> c_long;
    pub fn xmlSaveTree(c: *mut SaveCtxt, node: *mut XmlNode) -> c_long;
    pub fn xmlSaveFlush(c: *mut SaveCtxt) -> c_int;
    pub fn xmlSaveClose(c: *mut SaveCtxt) -> c_int;
    pub fn xmlOutputBufferCreateBuffer(buffer: *mut Buffer, handler: *mut CharEncodingHandler) -> *mut OutputBuffer;
    pub fn xmlOutputBufferFlush(buffer: *mut OutputBuffer) -> c_int;
    pub fn xmlOutputBufferClose(buffer: *mut OutputBuffer) -> c_int;
    pub fn xmlNodeDumpOutput(
        buffer: *mut OutputBuffer,
        doc: *mut XmlDoc,
        node: *mut XmlNode,
        level: c_int,
        format: c_int,
        encoding: *const c_char,
    );
    pub fn htmlGetMetaEncoding(doc: *mut XmlDoc) -> *const XmlChar;
    pub fn htmlSetMetaEncoding(doc: *mut XmlDoc, encoding: *const XmlChar) -> c_int;
    pub fn htmlDocDumpMemoryFormat(doc: *mut XmlDoc, text: *mut *mut XmlChar, size: *mut c_int, format: c_int);
    pub fn htmlNodeDumpFormatOutput(
        buffer: *mut OutputBuffer,
        doc: *mut XmlDoc,
        node: *mut XmlNode,
        encoding: *const c_char,
        format: c_int,
    );
    pub fn xmlC14NExecute(
        doc: *mut XmlDoc,
        is_visible: unsafe extern "C" fn(*mut c_void, *mut XmlNode, *mut XmlNode) -> c_int,
        data: *mut c_void,
        mode: c_int,
        prefixes: *mut *mut XmlChar,
        comments: c_int,
        output: *mut OutputBuffer,
    ) -> c_int;
    pub fn xmlC14NDocSaveTo(
        doc: *mut XmlDoc,
        nodes: *mut XmlNodeSet,
        mode: c_int,
        prefixes: *mut *mut XmlChar,
        comments: c_int,
        output: *mut OutputBuffer,
    ) -> c_int;
    pub fn __xmlSaveNoEmptyTags() -> *mut c_int;
    pub fn __xmlLineNumbersDefaultValue() -> *mut c_int;
    pub fn xmlXPathNewContext(doc: *mut XmlDoc) -> *mut XPathContext;
    pub fn xmlXPathFreeContext(c: *mut XPathContext);
    pub fn xmlXPathEvalExpression(text: *const XmlChar, c: *mut XPathContext) -> *mut XPathObject;
    pub fn xmlXPathFreeObject(object: *mut XPathObject);
    pub fn xmlXPathRegisterNs(c: *mut XPathContext, prefix: *const XmlChar, uri: *const XmlChar) -> c_int;
    pub fn xmlXPathRegisterFuncNS(
        c: *mut XPathContext,
        name: *const XmlChar,
        uri: *const XmlChar,
        f: Option<XPathFunction>,
    ) -> c_int;
    pub fn valuePop(c: *mut XPathParserContext) -> *mut XPathObject;
    pub fn valuePush(c: *mut XPathParserContext, object: *mut XPathObject) -> c_int;
    pub fn xmlXPathNewString(text: *const XmlChar) -> *mut XPathObject;
    pub fn xmlXPathNewFloat(number: c_double) -> *mut XPathObject;
    pub fn xmlXPathNewBoolean(value: c_int) -> *mut XPathObject;
    pub fn xmlXPathNewNodeSet(node: *mut XmlNode) -> *mut XPathObject;
    pub fn xmlXPathNodeSetAdd(set: *mut XmlNodeSet, node: *mut XmlNode) -> c_int;
    pub fn xmlXPathCastToString(object: *mut XPathObject) -> *mut XmlChar;

    pub fn xmlXIncludeProcessFlags(doc: *mut XmlDoc, flags: c_int) -> c_int;
    pub fn xmlXIncludeProcessTreeFlags(node: *mut XmlNode, flags: c_int) -> c_int;
    pub fn xmlValidateDocument(c: *mut ValidCtxt, doc: *mut XmlDoc) -> c_int;
    pub fn xmlFreeValidCtxt(c: *mut ValidCtxt);
    pub fn xmlSchemaNewParserCtxt(url: *const c_char) -> *mut SchemaParserCtxt;
    pub fn xmlSchemaNewMemParserCtxt(bytes: *const c_char, size: c_int) -> *mut SchemaParserCtxt;
    pub fn xmlSchemaParse(c: *mut SchemaParserCtxt) -> *mut Schema;
    pub fn xmlSchemaFreeParserCtxt(c: *mut SchemaParserCtxt);
    pub fn xmlSchemaFree(schema: *mut Schema);
    pub fn xmlSchemaNewValidCtxt(schema: *mut Schema) -> *mut SchemaValidCtxt;
    pub fn xmlSchemaSetValidOptions(c: *mut SchemaValidCtxt, options: c_int) -> c_int;
    pub fn xmlSchemaValidateDoc(c: *mut SchemaValidCtxt, doc: *mut XmlDoc) -> c_int;
    pub fn xmlSchemaFreeValidCtxt(c: *mut SchemaValidCtxt);
    pub fn xmlRelaxNGNewParserCtxt(url: *const c_char) -> *mut RelaxNgParserCtxt;
    pub fn xmlRelaxNGNewMemParserCtxt(bytes: *const c_char, size: c_int) -> *mut RelaxNgParserCtxt;
    pub fn xmlRelaxNGParse(c: *mut RelaxNgParserCtxt) -> *mut RelaxNg;
    pub fn xmlRelaxNGFreeParserCtxt(c: *mut RelaxNgParserCtxt);
    pub fn xmlRelaxNGFree(schema: *mut RelaxNg);
    pub fn xmlRelaxNGNewValidCtxt(schema: *mut RelaxNg) -> *mut RelaxNgValidCtxt;
    pub fn xmlRelaxNGValidateDoc(c: *mut RelaxNgValidCtxt, doc: *mut XmlDoc) -> c_int;
    pub fn xmlRelaxNGFreeValidCtxt(c: *mut RelaxNgValidCtxt);

    pub fn xmlReaderForMemory(
        bytes: *const c_char,
        size: c_int,
        url: *const c_char,
        encoding: *const c_char,
        options: c_int,
    ) -> *mut Reader;
    pub fn xmlReaderForFile(name: *const c_char, encoding: *const c_char, options: c_int) -> *mut Reader;
    pub fn xmlFreeTextReader(r: *mut Reader);
    pub fn xmlTextReaderRead(r: *mut Reader) -> c_int;
    pub fn xmlTextReaderNext(r: *mut Reader) -> c_int;
    pub fn xmlTextReaderAttributeCount(r: *mut Reader) -> c_int;
    pub fn xmlTextReaderDepth(r: *mut Reader) -> c_int;
    pub fn xmlTextReaderHasAttributes(r: *mut Reader) -> c_int;
    pub fn xmlTextReaderHasValue(r: *mut Reader) -> c_int;
    pub fn xmlTextReaderIsDefault(r: *mut Reader) -> c_int;
    pub fn xmlTextReaderIsEmptyElement(r: *mut Reader) -> c_int;
    pub fn xmlTextReaderNodeType(r: *mut Reader) -> c_int;
    pub fn xmlTextReaderIsValid(r: *mut Reader) -> c_int;
    pub fn xmlTextReaderConstBaseUri(r: *mut Reader) -> *const XmlChar;
    pub fn xmlTextReaderConstLocalName(r: *mut Reader) -> *const XmlChar;
    pub fn xmlTextReaderConstName(r: *mut Reader) -> *const XmlChar;
    pub fn xmlTextReaderConstNamespaceUri(r: *mut Reader) -> *const XmlChar;
    pub fn xmlTextReaderConstPrefix(r: *mut Reader) -> *const XmlChar;
    pub fn xmlTextReaderConstValue(r: *mut Reader) -> *const XmlChar;
    pub fn xmlTextReaderConstXmlLang(r: *mut Reader) -> *const XmlChar;
    pub fn xmlTextReaderGetAttribute(r: *mut Reader, name: *const XmlChar) -> *mut XmlChar;
    pub fn xmlTextReaderGetAttributeNo(r: *mut Reader, number: c_int) -> *mut XmlChar;
    pub fn xmlTextReaderGetAttributeNs(r: *mut Reader, name: *const XmlChar, uri: *const XmlChar) -> *mut XmlChar;
    pub fn xmlTextReaderLookupNamespace(r: *mut Reader, prefix: *const XmlChar) -> *mut XmlChar;
    pub fn xmlTextReaderMoveToAttribute(r: *mut Reader, name: *const XmlChar) -> c_int;
    pub fn xmlTextReaderMoveToAttributeNo(r: *mut Reader, number: c_int) -> c_int;
    pub fn xmlTextReaderMoveToAttributeNs(r: *mut Reader, name: *const XmlChar, uri: *const XmlChar) -> c_int;
    pub fn xmlTextReaderMoveToElement(r: *mut Reader) -> c_int;
    pub fn xmlTextReaderMoveToFirstAttribute(r: *mut Reader) -> c_int;
    pub fn xmlTextReaderMoveToNextAttribute(r: *mut Reader) -> c_int;
    pub fn xmlTextReaderReadInnerXml(r: *mut Reader) -> *mut XmlChar;
    pub fn xmlTextReaderReadOuterXml(r: *mut Reader) -> *mut XmlChar;
    pub fn xmlTextReaderReadString(r: *mut Reader) -> *mut XmlChar;
    pub fn xmlTextReaderGetParserProp(r: *mut Reader, property: c_int) -> c_int;
    pub fn xmlTextReaderSetParserProp(r: *mut Reader, property: c_int, value: c_int) -> c_int;
    pub fn xmlTextReaderSchemaValidate(r: *mut Reader, name: *const c_char) -> c_int;
    pub fn xmlTextReaderRelaxNGSetSchema(r: *mut Reader, schema: *mut RelaxNg) -> c_int;
    pub fn xmlTextReaderExpand(r: *mut Reader) -> *mut XmlNode;

    pub fn xmlNewTextWriterMemory(buffer: *mut Buffer, compression: c_int) -> *mut TextWriter;
    pub fn xmlFreeTextWriter(w: *mut TextWriter);
    pub fn xmlTextWriterFlush(w: *mut TextWriter) -> c_int;
    pub fn xmlTextWriterSetIndent(w: *mut TextWriter, on: c_int) -> c_int;
    pub fn xmlTextWriterSetIndentString(w: *mut TextWriter, text: *const XmlChar) -> c_int;
    pub fn xmlTextWriterStartDocument(
        w: *mut TextWriter,
        version: *const c_char,
        encoding: *const c_char,
        standalone: *const c_char,
    ) -> c_int;
    pub fn xmlTextWriterEndDocument(w: *mut TextWriter) -> c_int;
    pub fn xmlTextWriterStartComment(w: *mut TextWriter) -> c_int;
    pub fn xmlTextWriterEndComment(w: *mut TextWriter) -> c_int;
    pub fn xmlTextWriterWriteComment(w: *mut TextWriter, text: *const XmlChar) -> c_int;
    pub fn xmlTextWriterStartElement(w: *mut TextWriter, name: *const XmlChar) -> c_int;
    pub fn xmlTextWriterStartElementNS(
        w: *mut TextWriter,
        prefix: *const XmlChar,
        name: *const XmlChar,
        uri: *const XmlChar,
    ) -> c_int;
    pub fn xmlTextWriterEndElement(w: *mut TextWriter) -> c_int;
    pub fn xmlTextWriterFullEndElement(w: *mut TextWriter) -> c_int;
    pub fn xmlTextWriterWriteElement(w: *mut TextWriter, name: *const XmlChar, text: *const XmlChar) -> c_int;
    pub fn xmlTextWriterWriteElementNS(
        w: *mut TextWriter,
        prefix: *const XmlChar,
        name: *const XmlChar,
        uri: *const XmlChar,
        text: *const XmlChar,
    ) -> c_int;
    pub fn xmlTextWriterWriteRaw(w: *mut TextWriter, text: *const XmlChar) -> c_int;
    pub fn xmlTextWriterWriteString(w: *mut TextWriter, text: *const XmlChar) -> c_int;
    pub fn xmlTextWriterStartAttribute(w: *mut TextWriter, name: *const XmlChar) -> c_int;
    pub fn xmlTextWriterStartAttributeNS(
        w: *mut TextWriter,
        prefix: *const XmlChar,
        name: *const XmlChar,
        uri: *const XmlChar,
    ) -> c_int;
    pub fn xmlTextWriterEndAttribute(w: *mut TextWriter) -> c_int;
    pub fn xmlTextWriterWriteAttribute(w: *mut TextWriter, name: *const XmlChar, text: *const XmlChar) -> c_int;
    pub fn xmlTextWriterWriteAttributeNS(
        w: *mut TextWriter,
        prefix: *const XmlChar,
        name: *const XmlChar,
        uri: *const XmlChar,
        text: *const XmlChar,
    ) -> c_int;
    pub fn xmlTextWriterStartPI(w: *mut TextWriter, target: *const XmlChar) -> c_int;
    pub fn xmlTextWriterEndPI(w: *mut TextWriter) -> c_int;
    pub fn xmlTextWriterWritePI(w: *mut TextWriter, target: *const XmlChar, text: *const XmlChar) -> c_int;
    pub fn xmlTextWriterStartCDATA(w: *mut TextWriter) -> c_int;
    pub fn xmlTextWriterEndCDATA(w: *mut TextWriter) -> c_int;
    pub fn xmlTextWriterWriteCDATA(w: *mut TextWriter, text: *const XmlChar) -> c_int;
    pub fn xmlTextWriterStartDTD(
        w: *mut TextWriter,
        name: *const XmlChar,
        public: *const XmlChar,
        system: *const XmlChar,
    ) -> c_int;
    pub fn xmlTextWriterEndDTD(w: *mut TextWriter) -> c_int;
    pub fn xmlTextWriterWriteDTD(
        w: *mut TextWriter,
        name: *const XmlChar,
        public: *const XmlChar,
        system: *const XmlChar,
        subset: *const XmlChar,
    ) -> c_int;
    pub fn xmlTextWriterStartDTDElement(w: *mut TextWriter, name: *const XmlChar) -> c_int;
    pub fn xmlTextWriterEndDTDElement(w: *mut TextWriter) -> c_int;
    pub fn xmlTextWriterWriteDTDElement(w: *mut TextWriter, name: *const XmlChar, text: *const XmlChar) -> c_int;
    pub fn xmlTextWriterStartDTDAttlist(w: *mut TextWriter, name: *const XmlChar) -> c_int;
    pub fn xmlTextWriterEndDTDAttlist(w: *mut TextWriter) -> c_int;
    pub fn xmlTextWriterWriteDTDAttlist(w: *mut TextWriter, name: *const XmlChar, text: *const XmlChar) -> c_int;
    pub fn xmlTextWriterStartDTDEntity(w: *mut TextWriter, parameter: c_int, name: *const XmlChar) -> c_int;
    pub fn xmlTextWriterEndDTDEntity(w: *mut TextWriter) -> c_int;
    pub fn xmlTextWriterWriteDTDEntity(
        w: *mut TextWriter,
        parameter: c_int,
        name: *const XmlChar,
        public: *const XmlChar,
        system: *const XmlChar,
        notation: *const XmlChar,
        content: *const XmlChar,
    ) -> c_int;
}

unsafe extern "C" {
    pub fn phlox_libxml_watch(c: *mut ParserCtxt);
    pub fn phlox_libxml_refused(c: *mut ParserCtxt, id: *const c_char);
    pub fn phlox_libxml_hide_messages();
    pub fn phlox_libxml_take_document(c: *mut ParserCtxt) -> *mut XmlDoc;
    pub fn phlox_libxml_parse_piece(doc: *mut XmlDoc, text: *const XmlChar, list: *mut *mut XmlNode) -> c_int;
    pub fn phlox_libxml_is_well_formed(c: *mut ParserCtxt) -> c_int;
    pub fn phlox_libxml_has_bound_names(c: *mut ParserCtxt) -> c_int;
    pub fn phlox_libxml_set_recovery(c: *mut ParserCtxt, on: c_int);
    pub fn phlox_libxml_set_directory(c: *mut ParserCtxt, directory: *const c_char);
    pub fn phlox_libxml_set_input_name(c: *mut ParserCtxt, name: *const c_char);
    pub fn phlox_libxml_events(user: *mut c_void, namespaces: c_int) -> *mut EventParser;
    pub fn phlox_libxml_events_options(events: *mut EventParser, huge: c_int);
    pub fn phlox_libxml_events_parse(
        events: *mut EventParser,
        text: *const c_char,
        length: c_int,
        last: c_int,
    ) -> c_int;
    pub fn phlox_libxml_events_error(events: *mut EventParser) -> c_int;
    pub fn phlox_libxml_events_line(events: *mut EventParser) -> c_int;
    pub fn phlox_libxml_events_column(events: *mut EventParser) -> c_int;
    pub fn phlox_libxml_events_byte(events: *mut EventParser) -> c_long;
    pub fn phlox_libxml_events_free(events: *mut EventParser);
    pub fn phlox_libxml_validation() -> *mut ValidCtxt;
    pub fn phlox_libxml_watch_schema_parser(c: *mut SchemaParserCtxt);
    pub fn phlox_libxml_watch_schema(c: *mut SchemaValidCtxt);
    pub fn phlox_libxml_watch_relaxng_parser(c: *mut RelaxNgParserCtxt);
    pub fn phlox_libxml_watch_relaxng(c: *mut RelaxNgValidCtxt);
    pub fn phlox_libxml_xpath_place(c: *mut XPathContext, node: *mut XmlNode, ns: *mut *mut XmlNs, count: c_int);
    pub fn phlox_libxml_xpath_function(
        c: *mut XPathParserContext,
        name: *mut *const XmlChar,
        uri: *mut *const XmlChar,
        data: *mut *mut c_void,
    ) -> *mut c_void;
    pub fn phlox_libxml_xpath_set_data(c: *mut XPathContext, data: *mut c_void);
}
