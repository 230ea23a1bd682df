// A navseam provider for GraphQL schemas in AssemblyScript: the definition and the hover of types
// and directives in the document. Its strings are UTF-16, as positions are. build.sh has the command.

// @ts-ignore: decorator
@external("navseam_v1", "path")
declare function hostPath(ptr: usize, cap: i32): i32;
// @ts-ignore: decorator
@external("navseam_v1", "source_size")
declare function hostSourceSize(): i32;
// @ts-ignore: decorator
@external("navseam_v1", "source")
declare function hostSource(offset: i32, ptr: usize, cap: i32): i32;
// @ts-ignore: decorator
@external("navseam_v1", "locations")
declare function hostLocations(records: usize, count: i32): void;
// @ts-ignore: decorator
@external("navseam_v1", "hover")
declare function hostHover(ptr: usize, len: i32): void;
// @ts-ignore: decorator
@external("navseam_v1", "hover_range")
declare function hostHoverRange(line: i32, character: i32, endLine: i32, endCharacter: i32): void;

const DONE = 0, FAILED = 3;

// A word, a directive with its @, a string with its quotes, or a character.
class Token {
  constructor(public text: string, public start: i32, public line: i32, public character: i32) {}
  get end(): i32 { return this.character + this.text.length; }
}

class Definition {
  constructor(public description: Token, public keyword: Token, public name: Token) {}
}

// charCodeAt and not charAt, which makes a string for each character.
const TAB = 9, NEWLINE = 10, RETURN = 13, SPACE = 32, QUOTE = 34, HASH = 35, COMMA = 44, AT = 64, BACKSLASH = 92;

const KEYWORDS = ["type", "interface", "union", "enum", "input", "scalar", "directive"];

function isLetter(c: i32): bool {
  return c == 0x5f || (c >= 0x30 && c <= 0x39) || ((c | 32) >= 0x61 && (c | 32) <= 0x7a);
}

function isName(first: i32): bool { return first == AT || isLetter(first); }

function isBlank(c: i32): bool { return c == SPACE || c == TAB || c == RETURN || c == NEWLINE || c == COMMA; }

function scan(source: string): Token[] {
  const tokens: Token[] = [];
  let line = 0, lineStart = 0;
  for (let i = 0, next = 0; i < source.length; i = next) {
    const first = source.charCodeAt(i);
    next = i + 1;
    if (first == HASH) {
      while (next < source.length && source.charCodeAt(next) != NEWLINE) next++;
    } else if (first == QUOTE) {
      next = stringEnd(source, i);
    } else if (isName(first)) {
      while (next < source.length && isLetter(source.charCodeAt(next))) next++;
    }
    if (first != HASH && !isBlank(first)) {
      tokens.push(new Token(source.slice(i, next), i, line, i - lineStart));
    }
    for (let j = i; j < next; j++) {
      const c = source.charCodeAt(j);
      if (c == NEWLINE || (c == RETURN && source.charCodeAt(j + 1) != NEWLINE)) {
        line++;
        lineStart = j + 1;
      }
    }
  }
  return tokens;
}

function stringEnd(source: string, i: i32): i32 {
  const quotes = source.startsWith("\"\"\"", i) ? "\"\"\"" : "\"", short = quotes.length == 1;
  for (i += quotes.length; i < source.length; i++) {
    if (source.startsWith(quotes, i) || (short && source.charCodeAt(i) == NEWLINE)) return i + quotes.length;
    if (source.charCodeAt(i) == BACKSLASH && (short || source.startsWith(quotes, i + 1))) i += quotes.length;
  }
  return source.length;
}

function definitions(tokens: Token[]): Definition[] {
  const found: Definition[] = [];
  let depth = 0;
  for (let i = 0; i < tokens.length; i++) {
    const text = tokens[i].text;
    if (text == "{" || text == "(") depth++;
    if (text == "}" || text == ")") depth--;
    if (depth <= 0 && KEYWORDS.includes(text) && i + 1 < tokens.length) {
      const before = i > 0 ? tokens[i - 1] : tokens[i];
      if (before.text != "extend") found.push(new Definition(before, tokens[i], tokens[i + 1]));
      i++;
    }
  }
  return found;
}

function nameAt(tokens: Token[], line: i32, character: i32): Token | null {
  let found: Token | null = null;
  for (let i = 0; i < tokens.length; i++) {
    const t = tokens[i];
    if (isName(t.text.charCodeAt(0)) && t.line == line && t.character <= character && character <= t.end) found = t;
  }
  return found;
}

// The document, or null. Nothing of an earlier call is needed any more.
function load(): string | null {
  __collect();
  const size = hostSourceSize();
  if (size < 0) return null;
  const buffer = new ArrayBuffer(size);
  return hostSource(0, changetype<usize>(buffer), size) == size ? String.UTF8.decode(buffer) : null;
}

export function goToDefinition(line: i32, character: i32): i32 {
  const source = load();
  if (source === null) return FAILED;
  const tokens = scan(source), asked = nameAt(tokens, line, character), all = definitions(tokens);
  if (asked === null) return DONE;
  const path = new ArrayBuffer(hostPath(0, 0));
  hostPath(changetype<usize>(path), path.byteLength);
  for (let i = 0; i < all.length; i++) {
    const name = all[i].name;
    if (name.text != asked.text) continue;
    const record: StaticArray<i32> = [<i32>changetype<usize>(path), path.byteLength, name.line, name.character, name.line, name.end];
    hostLocations(changetype<usize>(record), 1);
  }
  return DONE;
}

export function hover(line: i32, character: i32): i32 {
  const source = load();
  if (source === null) return FAILED;
  const tokens = scan(source), asked = nameAt(tokens, line, character), all = definitions(tokens);
  if (asked === null) return DONE;
  for (let i = 0; i < all.length; i++) {
    if (all[i].name.text != asked.text) continue;
    const heading = source.slice(all[i].keyword.start).split("\n", 1)[0].split("{", 1)[0].trim();
    const before = all[i].description.text;
    const description = before.startsWith("\"") ? trimQuotes(before) : "";
    const text = String.UTF8.encode("```graphql\n" + heading + "\n```" + (description == "" ? "" : "\n\n" + description));
    hostHover(changetype<usize>(text), text.byteLength);
    hostHoverRange(asked.line, asked.character, asked.line, asked.end);
    break;
  }
  return DONE;
}

function trimQuotes(text: string): string {
  let start = 0, end = text.length;
  while (start < end && isEdge(text.charCodeAt(start))) start++;
  while (start < end && isEdge(text.charCodeAt(end - 1))) end--;
  return text.slice(start, end);
}

function isEdge(c: i32): bool { return c == QUOTE || (isBlank(c) && c != COMMA); }
