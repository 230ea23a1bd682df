(module
  (import "host" "fail" (func $fail))
  (func (export "fail") (call $fail))
  (func (export "nothing")))
