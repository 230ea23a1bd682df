;; Has elements that do not fit into its table. Each query fails with LSP_PROVIDER_FAILED, or they
;; are left out, or the module is refused.
(module
  (import "navseam_v1" "locations" (func (param i32 i32)))
  (memory (export "memory") 1)
  (table 1 funcref)
  (elem (i32.const 1) func 0)
  (func (export "goToDefinition") (param i32 i32) (result i32) (i32.const 0)))
