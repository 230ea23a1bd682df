;; Imports two functions that nobody offers. The module is refused with LSP_INVALID_CONFIG that
;; names both.
(module
  (import "navseam_v1" "run_command" (func (param i32 i32) (result i32)))
  (import "navseam_v1" "socket" (func (result i32)))
  (import "navseam_v1" "locations" (func (param i32 i32)))
  (memory (export "memory") 1)
  (func (export "goToDefinition") (param i32 i32) (result i32) (i32.const 0)))
