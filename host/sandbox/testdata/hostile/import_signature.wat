;; Imports two functions with wrong types. The module is refused with LSP_INVALID_CONFIG that names
;; both and their right types.
(module
  (import "navseam_v1" "path" (func (param i64 i32) (result i32)))
  (import "navseam_v1" "log" (func (param i32 i32 i32) (result i32)))
  (import "navseam_v1" "locations" (func (param i32 i32)))
  (memory (export "memory") 1)
  (func (export "goToDefinition") (param i32 i32) (result i32) (i32.const 0)))
