;; Has data that do not fit into its memory. Each query fails with LSP_PROVIDER_FAILED, or the
;; module is refused.
(module
  (import "navseam_v1" "locations" (func (param i32 i32)))
  (memory (export "memory") 1)
  (data (i32.const 65535) "ab")
  (func (export "goToDefinition") (param i32 i32) (result i32) (i32.const 0)))
