;; Wants a table of four thousand million entries from the start. The module is refused with
;; LSP_INVALID_CONFIG that names tables.
(module
  (import "navseam_v1" "locations" (func (param i32 i32)))
  (memory (export "memory") 1)
  (table 0xffffffff funcref)
  (func (export "goToDefinition") (param i32 i32) (result i32) (i32.const 0)))
