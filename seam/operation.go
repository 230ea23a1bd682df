package seam

// Operation is one of the four questions. The set is closed.
type Operation uint8

// The four operations. References always include the declaration.
const (
	OpGoToDefinition Operation = iota
	OpFindReferences
	OpGoToImplementation
	OpHover
)

// OperationCount is the number of operations: the length of any table that is
// indexed by [Operation].
const OperationCount = 4

var operationNames = [OperationCount]string{
	OpGoToDefinition:     "goToDefinition",
	OpFindReferences:     "findReferences",
	OpGoToImplementation: "goToImplementation",
	OpHover:              "hover",
}

// Operations returns the four operations in their documented order.
func Operations() [OperationCount]Operation {
	return [OperationCount]Operation{OpGoToDefinition, OpFindReferences, OpGoToImplementation, OpHover}
}

// Valid reports whether o is one of the four operations.
func (o Operation) Valid() bool { return o < OperationCount }

// String returns the name of the operation, such as "goToDefinition".
func (o Operation) String() string {
	if !o.Valid() {
		return "unknown operation"
	}
	return operationNames[o]
}

// ParseOperation returns the operation of that exact name.
func ParseOperation(name string) (Operation, error) {
	for op, n := range operationNames {
		if n == name {
			return Operation(op), nil
		}
	}
	return 0, Errorf(CodeInvalidArgs,
		"unknown operation %q: use goToDefinition, findReferences, goToImplementation or hover", name)
}
