package tool

import "encoding/json"

// Name is what the tool is called.
const Name = "lsp"

// Description is what a model reads when it chooses among its tools.
const Description = `Asks a language server, or another analyser, about the symbol at a place in a source file, for precise navigation that text search cannot give.

operation is one of
- goToDefinition: where the symbol is defined
- findReferences: every place that uses it, its declaration included
- goToImplementation: what implements an interface, an abstract method or the like
- hover: its type, signature and documentation

The place is file_path, line (counted from 1), and one of character and symbol. character is the cursor's column on that line, counted from 1 in UTF-16 units; it points at or into the symbol. symbol is the name itself, as it stands on that line: prefer it, since columns are easily miscounted. With both, the symbol nearest to character is meant.

Locations come as path:line:character, and a last line has the totals. An answer that says it is incomplete is no proof that something does not exist.`

// Instructions is what a model is told once about when the tool is of use.
const Instructions = `Find and read code with your search and read tools as usual. Use lsp when text matches are ambiguous, or before a change that needs exact definitions, implementations or references. Positions are a line and a UTF-16 character, both counted from one, at the cursor; a position off a symbol may give nothing, so name the symbol where you can. References always include the declaration. An answer marked incomplete proves no absence: ask again.`

// schema is written by hand: some clients take no types but single ones, and no oneOf.
const schema = `{
  "type": "object",
  "properties": {
    "operation": {
      "type": "string",
      "enum": ["goToDefinition", "findReferences", "goToImplementation", "hover"],
      "description": "What to ask about the symbol. findReferences includes the declaration."
    },
    "file_path": {
      "type": "string",
      "description": "The source file: absolute, or relative to the workspace."
    },
    "line": {
      "type": "integer",
      "minimum": 1,
      "description": "The line of the symbol, counted from 1."
    },
    "character": {
      "type": "integer",
      "description": "The column at or in the symbol, counted from 1 in UTF-16 units. May be left out when symbol is given."
    },
    "symbol": {
      "type": "string",
      "description": "The symbol's name as it stands on that line. Of a.b, b is meant. May be left out when character is given."
    }
  },
  "required": ["operation", "file_path", "line"],
  "additionalProperties": false
}`

// InputSchema is the JSON Schema of the arguments.
func InputSchema() json.RawMessage { return json.RawMessage(schema) }
