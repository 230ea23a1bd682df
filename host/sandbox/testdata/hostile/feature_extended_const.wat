;; Computes the place of a data segment. The module is refused with LSP_INVALID_CONFIG.
;; flags: --enable-extended-const
(module
  (import "navseam_v1" "locations" (func (param i32 i32)))
  (memory (export "memory") 1)
  (data (i32.add (i32.const 1) (i32.const 2)) "a")
  (func (export "goToDefinition") (param i32 i32) (result i32) (i32.const 0)))
