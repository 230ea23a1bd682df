package abi_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/navseam/navseam/abi"
	"github.com/navseam/navseam/seam"
)

func specification(t *testing.T) string {
	t.Helper()
	content, err := os.ReadFile("SPEC.md")
	require.NoError(t, err)
	return string(content)
}

// tableOf returns the rows of the table whose first heading is that, under a heading of the
// page, or under any if that is empty. Code marks are taken off.
func tableOf(t *testing.T, under, first string) [][]string {
	t.Helper()
	var rows [][]string
	heading, inside := "", false
	for line := range strings.Lines(specification(t)) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "#") {
			heading = strings.TrimSpace(strings.TrimLeft(line, "#"))
		}
		cells := strings.Split(strings.Trim(line, "|"), "|")
		for i := range cells {
			cells[i] = strings.Trim(strings.TrimSpace(cells[i]), "`")
		}
		switch {
		case !strings.HasPrefix(line, "|"):
			inside = false
		case cells[0] == first && (under == "" || under == heading):
			inside = true
		case inside && strings.Trim(line, "|-") != "":
			rows = append(rows, cells)
		}
	}
	require.NotEmpty(t, rows, "no table that begins with %q under %q", first, under)
	return rows
}

func TestSpecificationHasTheImports(t *testing.T) {
	phases := map[abi.Phase]string{
		abi.InInitialize | abi.InLoad | abi.InNavigation | abi.InHover: "always",
		abi.InLoad | abi.InNavigation | abi.InHover:                    "load, operations",
		abi.InNavigation | abi.InHover:                                 "operations",
		abi.InNavigation:                                               "navigation",
		abi.InHover:                                                    "hover",
	}
	want := map[abi.Grant][][]string{}
	for _, f := range abi.Functions() {
		want[f.Grant] = append(want[f.Grant], []string{f.Name, f.Signature.String(), phases[f.Phases]})
	}
	for grant, headings := range map[abi.Grant]string{
		abi.NoGrant: "Always available",
		abi.Files:   "With the grant `files`",
		abi.HTTP:    "With the grant `http`",
		abi.Cache:   "With the grant `cache`",
	} {
		var got [][]string
		for _, row := range tableOf(t, headings, "Import") {
			require.Len(t, row, 5, "%s", row)
			got = append(got, []string{row[0], row[1], row[3]})
		}
		require.Equal(t, want[grant], got, headings)
	}
}

func TestSpecificationHasTheExports(t *testing.T) {
	want := [][]string{
		{abi.ExportMemory, "memory"},
		{abi.ExportInitialize, abi.InitializeSignature().String()},
		{abi.ExportLoad, abi.LoadSignature().String()},
	}
	for _, op := range seam.Operations() {
		want = append(want, []string{abi.OperationExport(op), abi.OperationSignature().String()})
	}
	var got [][]string
	for _, row := range tableOf(t, "", "Export") {
		got = append(got, row[:2])
	}
	require.Equal(t, want, got)
}

func TestSpecificationHasTheNumbers(t *testing.T) {
	values := func(first string) (all []string) {
		for _, row := range tableOf(t, "", first) {
			all = append(all, row[0]+" "+row[1])
		}
		return all
	}
	require.Equal(t, []string{
		fmt.Sprint(abi.Done, " Done"),
		fmt.Sprint(abi.Unsupported, " Unsupported"),
		fmt.Sprint(abi.Unavailable, " Unavailable"),
		fmt.Sprint(abi.Failed, " Failed"),
	}, values("Status"))
	require.Equal(t, []string{
		fmt.Sprint(abi.NotThere, " NotThere"),
		fmt.Sprint(abi.NotAllowed, " NotAllowed"),
		fmt.Sprint(abi.OverLimit, " OverLimit"),
		fmt.Sprint(abi.CallFailed, " CallFailed"),
		fmt.Sprint(abi.Deadline, " Deadline"),
		fmt.Sprint(abi.BadArgument, " BadArgument"),
	}, values("Result"))

	fields := tableOf(t, "Locations", "Bytes")
	require.Equal(t, fmt.Sprint(abi.LocationSize-4, " to ", abi.LocationSize-1), fields[len(fields)-1][0])
	require.Contains(t, tableOf(t, "", "What"), []string{"Open files of an instance", fmt.Sprint(abi.MaxOpenFiles), "-3"})

	page := specification(t)
	for _, sentence := range []string{
		fmt.Sprintf("Writes %d bytes: size (u64)", abi.FileStatSize),
		fmt.Sprintf("(u32: %d file, %d folder, %d anything else)", abi.KindFile, abi.KindFolder, abi.KindOther),
		fmt.Sprintf("Levels: %d debug, %d info, %d warning, %d error.", abi.LogDebug, abi.LogInfo, abi.LogWarn, abi.LogError),
		fmt.Sprintf("or %d ms if that", abi.MaxSoftMarginMs),
	} {
		require.Contains(t, page, sentence)
	}
	require.Equal(t, 1, abi.SoftMarginTenths, "SPEC.md says: a tenth")
}

func TestSpecificationHasNoOtherFunctionsOfWASI(t *testing.T) {
	known := map[string]bool{}
	for _, f := range abi.WASIFunctions() {
		known[f.Name] = true
	}
	require.Len(t, known, len(abi.WASIFunctions()), "a name stands there twice")
	for _, row := range tableOf(t, "WASI", "Function") {
		for name := range strings.SplitSeq(row[0], ", ") {
			require.Contains(t, known, strings.Trim(name, "`"))
		}
	}
}
