;; Imports a global under the name of a function. The module is refused with LSP_INVALID_CONFIG
;; that names the import.
(module
  (import "navseam_v1" "path" (global i32))
  (import "navseam_v1" "locations" (func (param i32 i32)))
  (memory (export "memory") 1)
  (func (export "goToDefinition") (param i32 i32) (result i32) (i32.const 0)))
