;; Returns a number of another type. The module is refused with LSP_INVALID_CONFIG.
;; flags: --no-check
(module
  (import "navseam_v1" "locations" (func (param i32 i32)))
  (memory (export "memory") 1)
  (func (export "goToDefinition") (param i32 i32) (result i32)
    (i64.const 0)))
