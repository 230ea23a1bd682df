// A navseam provider for GraphQL schemas in plain C, without WASI and without a C library: the
// definition and the hover of types and directives in the document. build.sh has the command.
#include <stdint.h>

#define IMPORT(name) __attribute__((import_module("navseam_v1"), import_name(#name)))
#define EXPORT(name) __attribute__((export_name(#name)))

IMPORT(path) int32_t host_path(char *ptr, uint32_t cap);
IMPORT(source_size) int32_t host_source_size(void);
IMPORT(source) int32_t host_source(uint32_t offset, char *ptr, uint32_t cap);
IMPORT(locations) void host_locations(const uint32_t *records, uint32_t count);
IMPORT(hover) void host_hover(const char *ptr, uint32_t len);
IMPORT(hover_range) void host_hover_range(uint32_t line, uint32_t character, uint32_t end_line, uint32_t end_character);

enum status { DONE = 0, FAILED = 3 };

// The document lies behind the module's own data, and behind it what an answer needs.
extern char __heap_base;
static const char *const source = &__heap_base;
static const char *end;

static int reserve(const char *until) {
	uint32_t pages = ((uint32_t)until + 0xffff) / 0x10000, have = __builtin_wasm_memory_size(0);
	return pages <= have || __builtin_wasm_memory_grow(0, pages - have) != (uint32_t)-1;
}

static int load_source(void) {
	int32_t size = host_source_size();
	if (size < 0 || !reserve(source + size))
		return 0;
	end = source + size;
	return host_source(0, (char *)source, size) == size;
}

// A token is a word, a directive with its @, a string with its quotes, or a character.
typedef struct {
	const char *start, *end;
	uint32_t line, character; // in UTF-16 units
} token;

static const char *at; // the next character to read, and its place
static uint32_t line, character;

static void rewind_source(void) { at = source, line = 0, character = 0; }

static void advance(int bytes) {
	for (; bytes > 0 && at < end; bytes--) {
		unsigned char c = *at++;
		if (c == '\n' || (c == '\r' && (at == end || *at != '\n')))
			line++, character = 0;
		else if ((c & 0xc0) != 0x80)
			character += c >= 0xf0 ? 2 : 1;
	}
}

static int is_letter(char c) {
	return c == '_' || (c >= '0' && c <= '9') || ((c | 32) >= 'a' && (c | 32) <= 'z');
}

static int is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == ','; }

static int quotes_at(const char *p) { return end - p >= 3 && p[0] == '"' && p[1] == '"' && p[2] == '"' ? 3 : *p == '"'; }

static void read_string(void) {
	int quotes = quotes_at(at);
	advance(quotes);
	while (at < end && quotes_at(at) < quotes && !(quotes == 1 && *at == '\n'))
		advance(*at == '\\' && (quotes == 1 || (at + 1 < end && quotes_at(at + 1) == 3)) ? 1 + quotes : 1);
	advance(quotes);
}

static int next(token *t) {
	while (at < end && (is_blank(*at) || *at == '#')) {
		int is_comment = *at == '#';
		do
			advance(1);
		while (is_comment && at < end && *at != '\n');
	}
	*t = (token){at, at, line, character};
	if (at == end)
		return 0;
	if (*at == '"') {
		read_string();
	} else {
		int is_name = *at == '@' || is_letter(*at);
		advance(1);
		while (is_name && at < end && is_letter(*at))
			advance(1);
	}
	t->end = at;
	return 1;
}

static int is(token t, const char *text) {
	for (; t.start < t.end && *t.start == *text; t.start++, text++) {}
	return t.start == t.end && *text == 0;
}

static int same(token a, token b) {
	for (; a.start < a.end && b.start < b.end && *a.start == *b.start; a.start++, b.start++) {}
	return a.start == a.end && b.start == b.end;
}

static int is_keyword(token t) {
	return is(t, "type") || is(t, "interface") || is(t, "union") || is(t, "enum") || is(t, "input") || is(t, "scalar") || is(t, "directive");
}

// The name at a position. It stays empty if there is none.
static token name_at(uint32_t asked_line, uint32_t asked_character) {
	token t, found = {0};
	for (rewind_source(); next(&t);)
		if ((*t.start == '@' || is_letter(*t.start)) && t.line == asked_line && t.character <= asked_character &&
		    asked_character <= t.character + (t.end - t.start))
			found = t;
	return found;
}

// Goes on to the next definition of a name: its own token, and the two before it.
static int next_definition(token asked, token *description, token *keyword, token *name) {
	static int depth;
	token t, before = {0};
	if (at == source)
		depth = 0;
	for (; asked.start && next(&t); before = t) {
		depth += (is(t, "{") || is(t, "(")) - (is(t, "}") || is(t, ")"));
		if (depth > 0 || !is_keyword(t))
			continue;
		*description = before, *keyword = t;
		if (next(name) && same(*name, asked) && !is(before, "extend"))
			return 1;
		t = *name;
	}
	return 0;
}

EXPORT(goToDefinition) enum status go_to_definition(uint32_t asked_line, uint32_t asked_character) {
	if (!load_source())
		return FAILED;
	token asked = name_at(asked_line, asked_character), description, keyword, name;
	char *path = (char *)end;
	int32_t length = host_path(path, 0);
	if (!reserve(path + length) || host_path(path, length) != length)
		return FAILED;
	for (rewind_source(); next_definition(asked, &description, &keyword, &name);) {
		uint32_t width = name.end - name.start;
		uint32_t record[] = {(uint32_t)path, length, name.line, name.character, name.line, name.character + width};
		host_locations(record, 1);
	}
	return DONE;
}

static char *append(char *to, const char *from, const char *until) {
	while (from < until)
		*to++ = *from++;
	return to;
}

EXPORT(hover) enum status hover(uint32_t asked_line, uint32_t asked_character) {
	if (!load_source())
		return FAILED;
	token asked = name_at(asked_line, asked_character), description, keyword, name;
	rewind_source();
	if (!next_definition(asked, &description, &keyword, &name))
		return DONE;

	static const char before[] = "```graphql\n", after[] = "\n```", blank_line[] = "\n\n";
	char *text = (char *)end, *to = text;
	if (!reserve(text + (end - source) + sizeof before + sizeof after + sizeof blank_line))
		return FAILED;
	const char *heading_end = keyword.start;
	while (heading_end < end && *heading_end != '{' && *heading_end != '\n')
		heading_end++;
	while (is_blank(heading_end[-1]))
		heading_end--;
	to = append(to, before, before + sizeof before - 1);
	to = append(to, keyword.start, heading_end);
	to = append(to, after, after + sizeof after - 1);

	const char *from = description.start, *until = description.end;
	if (from && *from == '"') {
		while (from < until && (*from == '"' || is_blank(*from)))
			from++;
		while (from < until && (until[-1] == '"' || is_blank(until[-1])))
			until--;
		if (from < until)
			to = append(append(to, blank_line, blank_line + sizeof blank_line - 1), from, until);
	}
	host_hover(text, to - text);
	host_hover_range(asked.line, asked.character, asked.line, asked.character + (asked.end - asked.start));
	return DONE;
}
