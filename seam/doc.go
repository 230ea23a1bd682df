// Package seam is the vocabulary between an agent and whatever knows the code.
//
// An agent asks exactly four read-only questions, each at a file and a
// position: goToDefinition, findReferences, goToImplementation and hover. A
// [Provider] answers them; a [Registry] picks the provider by the name of the
// file. Nothing else can be asked, and no protocol shows through: there is no
// way to send a raw request to what stands behind a provider.
//
// # Units
//
// Lines and characters are counted from zero, characters in UTF-16 code units,
// and ranges are half-open, as in the Language Server Protocol. [Text] is the
// one place that converts them to byte offsets, [FromOneBased] and
// [Position.OneBased] the one place that converts them to what people read.
//
// # Answers
//
// An answer is either [Locations] or a [HoverResult]. An empty list and a nil
// hover are answers, not failures. [Completeness] says whether an answer may be
// taken as the whole truth.
//
// # Failures
//
// Every failure is an [*Error] with a stable [Code]. Branch on the code, never
// on the text; errors.Is and errors.As see through to the cause.
package seam
