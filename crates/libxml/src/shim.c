/* The part that needs C: functions with variable arguments, and fields of libxml2's contexts, whose layout only its
 * headers declare. Everything else is in Rust. */
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <libxml/parser.h>
#include <libxml/parserInternals.h>
#include <libxml/HTMLparser.h>
#include <libxml/xmlerror.h>
#include <libxml/xmlreader.h>
#include <libxml/xpath.h>
#include <libxml/xpathInternals.h>
#include <libxml/relaxng.h>
#include <libxml/xmlschemas.h>
#include <libxml/valid.h>

extern void phlox_libxml_holds(ptrdiff_t change);

#ifdef __GLIBC__
#include <malloc.h>
#include <libxml/xmlmemory.h>

/* Counting allocators: libxml2's memory counts for the script's memory usage. Earlier blocks come from malloc, too. */
static void *counted_malloc(size_t size) {
    void *block = malloc(size);
    if (block != NULL) phlox_libxml_holds((ptrdiff_t) malloc_usable_size(block));
    return block;
}

static void counted_free(void *block) {
    if (block != NULL) phlox_libxml_holds(-(ptrdiff_t) malloc_usable_size(block));
    free(block);
}

static void *counted_realloc(void *block, size_t size) {
    ptrdiff_t before = block == NULL ? 0 : (ptrdiff_t) malloc_usable_size(block);
    void *moved = realloc(block, size);
    if (moved != NULL) phlox_libxml_holds((ptrdiff_t) malloc_usable_size(moved) - before);
    return moved;
}

static char *counted_strdup(const char *text) {
    size_t size = strlen(text) + 1;
    char *copy = counted_malloc(size);
    return copy == NULL ? NULL : memcpy(copy, text, size);
}

void phlox_libxml_count_memory(void) {
    xmlMemSetup(counted_free, counted_malloc, counted_realloc, counted_strdup);
}
#else
void phlox_libxml_count_memory(void) {}
#endif

enum { PLAIN = 0, PARSER_ERROR = 1, PARSER_WARNING = 2 };

extern void phlox_libxml_message(int kind, const char *text, size_t length, const char *file, int line, int column);

static void deliver(int kind, xmlParserCtxtPtr parser, const char *format, va_list arguments) {
    char text[8192];
    int length = vsnprintf(text, sizeof text, format, arguments);
    if (length < 0) return;
    if ((size_t) length >= sizeof text) length = sizeof text - 1;
    const char *file = NULL;
    int line = 0, column = 0;
    if (kind != PLAIN && parser != NULL && parser->input != NULL) {
        file = parser->input->filename;
        line = parser->input->line;
        column = parser->input->col;
        if (file == NULL) file = "";
    }
    phlox_libxml_message(kind, text, (size_t) length, file, line, column);
}

void phlox_libxml_generic(void *context, const char *format, ...) {
    (void) context;
    va_list arguments;
    va_start(arguments, format);
    deliver(PLAIN, NULL, format, arguments);
    va_end(arguments);
}

void phlox_libxml_parser_error(void *context, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    deliver(PARSER_ERROR, (xmlParserCtxtPtr) context, format, arguments);
    va_end(arguments);
}

void phlox_libxml_parser_warning(void *context, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    deliver(PARSER_WARNING, (xmlParserCtxtPtr) context, format, arguments);
    va_end(arguments);
}

/* Reports that the script's resolver refused an entity. */
void phlox_libxml_refused(xmlParserCtxtPtr parser, const char *id) {
    if (id != NULL) {
        phlox_libxml_parser_error(parser, "Failed to load external entity \"%s\"\n", id);
    } else {
        phlox_libxml_parser_error(
            parser, "%s", "Failed to load external entity because the resolver function returned null\n");
    }
}

/* Makes a parser report messages with its place, instead of libxml2's own text with the source around it. */
void phlox_libxml_watch(xmlParserCtxtPtr parser) {
    parser->vctxt.error = phlox_libxml_parser_error;
    parser->vctxt.warning = phlox_libxml_parser_warning;
    if (parser->sax != NULL) {
        parser->sax->error = phlox_libxml_parser_error;
        parser->sax->warning = phlox_libxml_parser_warning;
    }
}

void phlox_libxml_hide_messages(void) {
    xmlSetGenericErrorFunc(NULL, phlox_libxml_generic);
}

/* Takes the tree out of a parser, which no longer frees it. */
xmlDocPtr phlox_libxml_take_document(xmlParserCtxtPtr parser) {
    xmlDocPtr document = parser->myDoc;
    parser->myDoc = NULL;
    return document;
}

/* Parses a piece of XML in the context of a document. libxml2 frees an element that is nested too deeply as if it belonged
 * to a document without a dictionary, so its name must not be in one: the document has no dictionary during the parse. */
int phlox_libxml_parse_piece(xmlDocPtr document, const xmlChar *text, xmlNodePtr *list) {
    xmlDictPtr names = document != NULL ? document->dict : NULL;
    if (document != NULL)
        document->dict = NULL;
    int error = xmlParseBalancedChunkMemory(document, NULL, NULL, 0, text, list);
    if (document != NULL)
        document->dict = names;
    return error;
}

int phlox_libxml_is_well_formed(xmlParserCtxtPtr parser) { return parser->wellFormed; }
int phlox_libxml_has_bound_names(xmlParserCtxtPtr parser) { return parser->nsWellFormed; }
int phlox_libxml_is_valid(xmlParserCtxtPtr parser) { return parser->valid; }
int phlox_libxml_error_number(xmlParserCtxtPtr parser) { return parser->errNo; }
void phlox_libxml_set_error_number(xmlParserCtxtPtr parser, int number) { parser->errNo = number; }
void phlox_libxml_set_recovery(xmlParserCtxtPtr parser, int on) { parser->recovery = on; }
void phlox_libxml_set_replace_entities(xmlParserCtxtPtr parser, int on) { parser->replaceEntities = on; }
int phlox_libxml_instate(xmlParserCtxtPtr parser) { return parser->instate; }
void phlox_libxml_set_directory(xmlParserCtxtPtr parser, const char *directory) {
    if (parser->directory == NULL) parser->directory = (char *) xmlStrdup((const xmlChar *) directory);
}
void phlox_libxml_set_input_name(xmlParserCtxtPtr parser, const char *name) {
    if (parser->input != NULL && parser->input->filename == NULL) {
        parser->input->filename = (char *) xmlStrdup((const xmlChar *) name);
    }
}
int phlox_libxml_line(xmlParserCtxtPtr parser) { return parser->input ? parser->input->line : 0; }
int phlox_libxml_column(xmlParserCtxtPtr parser) { return parser->input ? parser->input->col : 0; }
long phlox_libxml_byte(xmlParserCtxtPtr parser) { return xmlByteConsumed(parser); }

xmlSAXHandlerPtr phlox_libxml_sax(xmlParserCtxtPtr parser) { return parser->sax; }
void phlox_libxml_sax_defaults(xmlSAXHandlerPtr sax) { memset(sax, 0, sizeof *sax); xmlSAXVersion(sax, 2); }

/* A validation context that reports its messages. */
xmlValidCtxtPtr phlox_libxml_validation(void) {
    xmlValidCtxtPtr context = xmlNewValidCtxt();
    if (context != NULL) {
        context->userData = NULL;
        context->error = phlox_libxml_generic;
        context->warning = phlox_libxml_generic;
    }
    return context;
}
void phlox_libxml_watch_schema_parser(xmlSchemaParserCtxtPtr c) {
    xmlSchemaSetParserErrors(c, phlox_libxml_generic, phlox_libxml_generic, c);
}
void phlox_libxml_watch_schema(xmlSchemaValidCtxtPtr c) {
    xmlSchemaSetValidErrors(c, phlox_libxml_generic, phlox_libxml_generic, c);
}
void phlox_libxml_watch_relaxng_parser(xmlRelaxNGParserCtxtPtr c) {
    xmlRelaxNGSetParserErrors(c, phlox_libxml_generic, phlox_libxml_generic, c);
}
void phlox_libxml_watch_relaxng(xmlRelaxNGValidCtxtPtr c) {
    xmlRelaxNGSetValidErrors(c, phlox_libxml_generic, phlox_libxml_generic, c);
}

/* Sets the node and the namespaces in scope of an XPath context. */
void phlox_libxml_xpath_place(xmlXPathContextPtr c, xmlNodePtr node, xmlNsPtr *namespaces, int count) {
    c->node = node;
    c->namespaces = namespaces;
    c->nsNr = count;
}
void *phlox_libxml_xpath_function(xmlXPathParserContextPtr c, const xmlChar **name, const xmlChar **uri, void **data) {
    *name = c->context->function;
    *uri = c->context->functionURI;
    *data = c->context->userData;
    return c->context;
}
void phlox_libxml_xpath_set_data(xmlXPathContextPtr c, void *data) { c->userData = data; }

/* Whether a reader is in the state of an error. */
int phlox_libxml_has_reader_error(xmlTextReaderPtr reader) { return xmlTextReaderReadState(reader) == -1; }

/* The events of a push parser. Each comes with a list of texts, of which missing ones are null. */
enum {
    START_ELEMENT, END_ELEMENT, CHARACTERS, INSTRUCTION, COMMENT, UNPARSED_ENTITY, NOTATION, EXTERNAL_ENTITY,
    START_NAMESPACE, ENTITY, PREDEFINED_ENTITY, ELEMENT_SOURCE
};

extern int phlox_libxml_event(void *user, int event, const xmlChar **texts, const int *lengths, int count);

struct event_parser {
    xmlParserCtxtPtr parser;
    void *user;
    int namespaces;
};

#define TEXTS(...) ((const xmlChar *[]){__VA_ARGS__})
static int emit(void *context, int event, const xmlChar **texts, int count) {
    struct event_parser *events = context;
    return phlox_libxml_event(events->user, event, texts, NULL, count);
}

/* Emits an event. If its handler wants the source text, the text of the tag at the parser's place is emitted as well. */
static void emit_source(struct event_parser *events, int event, const xmlChar **texts, const int *lengths, int count) {
    if (phlox_libxml_event(events->user, event, texts, lengths, count)) return;
    xmlParserInputPtr input = events->parser->input;
    if (input == NULL) return;
    const xmlChar *start = input->cur, *end = input->cur;
    while (start > input->base && *start != '<') start--;
    int length = (int) (end - start) + 1;
    xmlChar *copy = xmlStrndup(start, length);
    if (copy == NULL) return;
    if (*end == '/') copy[length - 1] = '>';
    const xmlChar *list[] = {copy};
    phlox_libxml_event(events->user, ELEMENT_SOURCE, list, &length, 1);
    xmlFree(copy);
}

static void on_start(void *context, const xmlChar *name, const xmlChar **attributes) {
    int count = 0;
    while (attributes != NULL && attributes[count] != NULL) count += 2;
    const xmlChar **texts = malloc((size_t) (count + 3) * sizeof *texts);
    if (texts == NULL) return;
    texts[0] = name;
    texts[1] = texts[2] = NULL;
    for (int i = 0; i < count; i++) texts[3 + i] = attributes[i];
    emit_source(context, START_ELEMENT, texts, NULL, count + 3);
    free(texts);
}

static void on_start_ns(void *context, const xmlChar *name, const xmlChar *prefix, const xmlChar *uri, int namespaces,
                        const xmlChar **declared, int attributes, int defaulted, const xmlChar **values) {
    (void) defaulted;
    for (int i = 0; i < namespaces; i++) emit(context, START_NAMESPACE, declared + 2 * i, 2);
    int count = 3 + 4 * attributes;
    const xmlChar **texts = malloc((size_t) count * sizeof *texts);
    int *lengths = malloc((size_t) count * sizeof *lengths);
    if (texts != NULL && lengths != NULL) {
        for (int i = 0; i < count; i++) lengths[i] = -1;
        texts[0] = name;
        texts[1] = prefix;
        texts[2] = uri;
        for (int i = 0; i < attributes; i++) {
            for (int j = 0; j < 4; j++) texts[3 + 4 * i + j] = values[5 * i + j];
            lengths[3 + 4 * i + 3] = (int) (values[5 * i + 4] - values[5 * i + 3]);
        }
        emit_source(context, START_ELEMENT, texts, lengths, count);
    }
    free(texts);
    free(lengths);
}

static void on_end(void *context, const xmlChar *name) { emit(context, END_ELEMENT, TEXTS(name, NULL, NULL), 3); }

static void on_end_ns(void *context, const xmlChar *name, const xmlChar *prefix, const xmlChar *uri) {
    emit(context, END_ELEMENT, TEXTS(name, prefix, uri), 3);
}

static void on_characters(void *context, const xmlChar *text, int length) {
    struct event_parser *events = context;
    phlox_libxml_event(events->user, CHARACTERS, &text, &length, 1);
}

static void on_instruction(void *context, const xmlChar *target, const xmlChar *data) {
    emit(context, INSTRUCTION, TEXTS(target, data), 2);
}

static void on_comment(void *context, const xmlChar *text) { emit(context, COMMENT, &text, 1); }

static void on_unparsed(void *context, const xmlChar *name, const xmlChar *public_id, const xmlChar *system_id,
                        const xmlChar *notation) {
    emit(context, UNPARSED_ENTITY, TEXTS(name, public_id, system_id, notation), 4);
}

static void on_notation(void *context, const xmlChar *name, const xmlChar *public_id, const xmlChar *system_id) {
    emit(context, NOTATION, TEXTS(name, public_id, system_id), 3);
}

static xmlEntityPtr on_entity(void *context, const xmlChar *name) {
    struct event_parser *events = context;
    xmlParserCtxtPtr parser = events->parser;
    if (parser == NULL || parser->inSubset != 0) return NULL;
    xmlEntityPtr entity = xmlGetPredefinedEntity(name);
    if (entity == NULL) entity = xmlGetDocEntity(parser->myDoc, name);
    if (entity != NULL && parser->instate != XML_PARSER_CONTENT) return entity;
    if (entity != NULL && entity->etype == XML_EXTERNAL_GENERAL_PARSED_ENTITY) {
        if (!emit(context, EXTERNAL_ENTITY, TEXTS(entity->name, entity->SystemID, entity->ExternalID), 3)) {
            xmlStopParser(parser);
            parser->errNo = 21;
        }
    } else if (entity == NULL || entity->etype != XML_EXTERNAL_GENERAL_UNPARSED_ENTITY) {
        int predefined = entity != NULL && entity->etype == XML_INTERNAL_PREDEFINED_ENTITY;
        emit(context, predefined ? PREDEFINED_ENTITY : ENTITY, TEXTS(name, entity ? entity->content : NULL), 2);
    }
    return entity;
}

struct event_parser *phlox_libxml_events(void *user, int namespaces) {
    xmlSAXHandler sax;
    memset(&sax, 0, sizeof sax);
    sax.getEntity = on_entity;
    sax.notationDecl = on_notation;
    sax.unparsedEntityDecl = on_unparsed;
    sax.startElement = on_start;
    sax.endElement = on_end;
    sax.characters = on_characters;
    sax.processingInstruction = on_instruction;
    sax.comment = on_comment;
    sax.cdataBlock = on_characters;
    sax.initialized = XML_SAX2_MAGIC;
    sax.startElementNs = on_start_ns;
    sax.endElementNs = on_end_ns;
    struct event_parser *events = calloc(1, sizeof *events);
    if (events == NULL) return NULL;
    events->user = user;
    events->namespaces = namespaces;
    events->parser = xmlCreatePushParserCtxt(&sax, events, NULL, 0, NULL);
    if (events->parser == NULL) {
        free(events);
        return NULL;
    }
    xmlCtxtUseOptions(events->parser, XML_PARSE_OLDSAX | XML_PARSE_NOENT);
    events->parser->wellFormed = 0;
    if (!namespaces) events->parser->sax->initialized = 1;
    return events;
}

void phlox_libxml_events_options(struct event_parser *events, int huge) {
    xmlCtxtUseOptions(events->parser, XML_PARSE_OLDSAX | XML_PARSE_NOENT | (huge ? XML_PARSE_HUGE : 0));
}

int phlox_libxml_events_parse(struct event_parser *events, const char *text, int length, int last) {
    if (xmlParseChunk(events->parser, text, length, last) != 0) return 0;
    xmlErrorPtr error = xmlCtxtGetLastError(events->parser);
    return error == NULL || error->level <= XML_ERR_WARNING;
}

int phlox_libxml_events_error(struct event_parser *events) { return events->parser->errNo; }
int phlox_libxml_events_line(struct event_parser *events) { return phlox_libxml_line(events->parser); }
int phlox_libxml_events_column(struct event_parser *events) { return phlox_libxml_column(events->parser); }
long phlox_libxml_events_byte(struct event_parser *events) { return xmlByteConsumed(events->parser); }

void phlox_libxml_events_free(struct event_parser *events) {
    if (events->parser->myDoc != NULL) {
        xmlFreeDoc(events->parser->myDoc);
        events->parser->myDoc = NULL;
    }
    xmlFreeParserCtxt(events->parser);
    free(events);
}
