;; Uses a tail call. The module is refused with LSP_INVALID_CONFIG that names the feature.
;; flags: --enable-tail-call
(module
  (import "navseam_v1" "locations" (func (param i32 i32)))
  (memory (export "memory") 1)
  (func (export "goToDefinition") (param i32 i32) (result i32)
    (return_call 1 (local.get 0) (local.get 1))))
