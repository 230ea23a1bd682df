;; Imports what nobody has, with a name that no terminal should see, and one function with
;; another signature than it has.
(module
  (import "env" "abort" (func (param i32)))
  (import "navseam_v1" "teleport" (func (param i32 i32) (result i32)))
  (import "navseam_v1" "ev\1b[2J\nil" (func))
  (import "navseam_v1" "hover" (func (param i32)))
  (memory (export "memory") 1)
  (func (export "hover") (param i32 i32) (result i32)
    (i32.const 0)))
