package clienttests

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/azcore/to"
	"github.com/Azure/azure-sdk-for-go/sdk/data/aztables"
)

func full(
	rowKey, words string, number int, big string, real float64, time, digit, bytes string, flag bool,
) object {
	return entity(rowKey, object{
		"text": words,
		"int":  number,
		"big":  big, "big@odata.type": "Edm.Int64",
		"real": real, "real@odata.type": "Edm.Double",
		"flag": flag,
		"time": time, "time@odata.type": "Edm.DateTime",
		"id": guid(digit), "id@odata.type": "Edm.Guid",
		"bytes": bytes, "bytes@odata.type": "Edm.Binary",
	})
}

func guid(digit string) string {
	return strings.ReplaceAll("00000000-0000-0000-0000-000000000000", "0", digit)
}

// samples answers five entities; "e" lacks every property but one.
func samples() []object {
	return []object{
		full("a", "alpha", 1, "9007199254740993", 1.5, "2020-01-01T00:00:00Z", "1", "AQI=", true),
		full("b", "Beta", -2, "-9007199254740993", 2, "2020-06-15T12:30:45.1234567Z", "2",
			"AQID", false),
		full("c", "", 2147483647, "9223372036854775807", -1e300, "1601-01-01T00:00:00Z", "3",
			"/w==", true),
		full("d", "O'Brien 🌱", 0, "64", 0.1, "9999-12-31T23:59:59.9999999Z", "4", "AA==", false),
		entity("e", object{"text": "sparse"}),
	}
}

// answerTo answers the row keys that a filter finds as one word, or else status and code.
func answerTo(table *aztables.Client, filter string) string {
	rowKeys, err := rowKeysOf(table, filter)
	var refusal *azcore.ResponseError
	if errors.As(err, &refusal) {
		return fmt.Sprintf("%d %s", refusal.StatusCode, refusal.ErrorCode)
	}
	if err != nil {
		return err.Error()
	}
	return strings.Join(rowKeys, "")
}

func TestQueryReturnsExactMatchesOr400ForFilter(t *testing.T) {
	table, _ := newTable(t)
	addAll(t, table, samples())
	for subject, expectations := range map[string]map[string]string{
		"String filter compares by code unit and case": {
			"text eq 'alpha'":             "a",
			"text eq 'Alpha'":             "",
			"text eq ''":                  "c",
			"text ne 'alpha'":             "bcde",
			"text gt 'Beta'":              "ade",
			"text ge 'Beta'":              "abde",
			"text lt 'Beta'":              "c",
			"text le 'Beta'":              "bc",
			"text eq 'O''Brien 🌱'":        "d",
			"text ge 'O' and text lt 'P'": "d",
		},
		"Int32 filter compares by number": {
			"int eq 1":          "a",
			"int ne 1":          "bcd",
			"int gt 0":          "ac",
			"int ge 0":          "acd",
			"int lt 0":          "b",
			"int le -2":         "b",
			"int eq 2147483647": "c",
		},
		"Int64 filter compares every digit beyond 2^53": {
			"big eq 9007199254740993L":    "a",
			"big eq 9007199254740992L":    "",
			"big gt 9007199254740992L":    "ac",
			"big ge 9223372036854775807L": "c",
			"big lt 0L":                   "b",
			"big le -9007199254740993L":   "b",
			"big ne 64L":                  "abc",
			"big eq 64":                   "d",
		},
		"Double filter compares by number": {
			"real eq 1.5":    "a",
			"real eq 0.1":    "d",
			"real gt 1.5":    "b",
			"real ge 1.5":    "ab",
			"real lt 0.0":    "c",
			"real le -1e300": "c",
			"real ne 1.5":    "bcd",
			"real eq 2.0":    "b",
			"real eq 2":      "b",
		},
		"Boolean filter accepts comparison and bare property": {
			"flag eq true":  "ac",
			"flag eq false": "bd",
			"flag ne true":  "bd",
			"flag":          "ac",
		},
		"DateTime filter compares to 100 ns": {
			"time eq datetime'2020-01-01T00:00:00Z'":         "a",
			"time eq datetime'2020-06-15T12:30:45.1234567Z'": "b",
			"time gt datetime'2020-06-15T12:30:45.1234567Z'": "d",
			"time gt datetime'2020-06-15T12:30:45.1234566Z'": "bd",
			"time ge datetime'2020-01-01T00:00:00.000Z'":     "abd",
			"time lt datetime'1700-01-01T00:00:00Z'":         "c",
			"time ne datetime'1601-01-01T00:00:00Z'":         "abd",
		},
		"Guid filter compares by value and not as text": {
			"id eq guid'11111111-1111-1111-1111-111111111111'": "a",
			"id eq '11111111-1111-1111-1111-111111111111'":     "",
			"id ne guid'22222222-2222-2222-2222-222222222222'": "acd",
			"id gt guid'22222222-2222-2222-2222-222222222222'": "cd",
			"id le guid'22222222-2222-2222-2222-222222222222'": "ab",
		},
		"Binary filter compares by byte, shorter prefix first": {
			"bytes eq X'0102'":      "a",
			"bytes eq binary'0102'": "a",
			"bytes eq X'FF'":        "c",
			"bytes gt X'0102'":      "bc",
			"bytes ge X'0102'":      "abc",
			"bytes lt X'0102'":      "d",
			"bytes ne X'0102'":      "bcd",
		},
		"Filter on keys and Timestamp finds matching entities": {
			"PartitionKey eq 'p' and RowKey eq 'c'":       "c",
			"PartitionKey eq 'P'":                         "",
			"RowKey ge 'b' and RowKey lt 'd'":             "bc",
			"Timestamp ge datetime'2000-01-01T00:00:00Z'": "abcde",
			"Timestamp lt datetime'2000-01-01T00:00:00Z'": "",
		},
		"Filter binds AND tighter than OR without parentheses": {
			"int eq 1 or int eq 0 and text eq 'none'":            "a",
			"(int eq 1 or int eq 0) and text ne 'alpha'":         "d",
			"int eq 1 or int eq 0":                               "ad",
			"int gt -5 and int lt 1 and flag eq false":           "bd",
			"(((int eq 1) or ((flag eq false) and (int lt 0))))": "ab",
		},
		"Filter negates comparison and parentheses after NOT": {
			"not (int eq 1)":                          "bcde",
			"not (int gt 0 and flag eq true)":         "bde",
			"not (int gt 0) and not (text eq 'Beta')": "de",
			"not (not (int eq 1))":                    "a",
		},
		"Comparison is false when property is absent": {
			"missing eq 'x'":           "",
			"missing ne 'x'":           "",
			"missing gt 0":             "",
			"not (missing eq 'x')":     "abcde",
			"int ne 12345":             "abcd",
			"int eq 1 or missing eq 1": "a",
			"not (int ne 1)":           "ae",
			"missing":                  "",
		},
		"Filter accepts literal on the left": {
			"'alpha' eq text":                    "a",
			"0 lt int":                           "ac",
			"'p' eq PartitionKey and 64L eq big": "d",
		},
		"Query fails with 400 InvalidInput when filter is invalid": {
			"aaa bbb ccc":             "400 InvalidInput",
			"int eq 1 and":            "400 InvalidInput",
			"text eq 'unterminated":   "400 InvalidInput",
			"(int eq 1":               "400 InvalidInput",
			"int eq 3000000000":       "400 InvalidInput",
			"PartitionKey eq null":    "400 InvalidInput",
			"int eq 1 or or int eq 2": "400 InvalidInput",
		},
	} {
		t.Run(subject, func(t *testing.T) {
			for filter, expected := range expectations {
				if got := answerTo(table, filter); got != expected {
					t.Errorf("%s: %q (expected: %q)", filter, got, expected)
				}
			}
		})
	}
}

func TestFilterComparesLiteralAsTextWhenItLooksLikeCode(t *testing.T) {
	table, _ := newTable(t)
	values := map[string]string{"tick": "Val`", "dollar": "${1+1}", "amp": "a&b=c#d?e/f%20"}
	for rowKey, value := range values {
		add(t, table, entity(rowKey, object{"text": value}))
	}
	for rowKey, value := range values {
		equal(t, value, answerTo(table, fmt.Sprintf("text eq '%s'", value)), rowKey)
	}
	equal(t, "entities", answerTo(table, "text eq '`;process.exit();`'"), "")
}

func TestFilterDistinguishesOneAndTwoBlanksInLiteral(t *testing.T) {
	table, _ := newTable(t)
	add(t, table, object{"PartitionKey": "a  b", "RowKey": "r"})
	equal(t, "two blanks", answerTo(table, "(PartitionKey eq 'a  b')"), "r")
	equal(t, "one blank", answerTo(table, "(PartitionKey eq 'a b')"), "")
}

func TestQueryReturnsMatchesWhenFilterHas100Alternatives(t *testing.T) {
	table, _ := newTable(t)
	entities, stored, alternatives := []object{}, []string{}, []string{}
	for i := 0; i < 100; i++ {
		rowKey := fmt.Sprintf("row-%032d", i)
		if i < 40 {
			entities = append(entities, entity(rowKey, nil))
			stored = append(stored, rowKey)
		}
		alternatives = append(alternatives,
			fmt.Sprintf("(PartitionKey eq 'p' and RowKey eq '%s')", rowKey))
	}
	addAll(t, table, entities)
	found, err := rowKeysOf(table, strings.Join(alternatives, " or "))
	must(t, err)
	equal(t, "row keys", found, stored)
}

func TestQueryErrorNamesPositionWhenFilterSyntaxIsWrong(t *testing.T) {
	table, _ := newTable(t)
	_, err := rowKeysOf(table, "aaa bbb ccc")
	refused(t, err, 400, aztables.InvalidInput)
	if !strings.Contains(err.Error(), "Syntax error at position 7 in 'aaa bbb ccc'.") {
		t.Fatalf("text: %v (expected: the position and the filter)", err)
	}
}

func TestSelectReturnsOnlyNamedPropertiesAndETag(t *testing.T) {
	table, _ := newTable(t)
	properties := object{"int": 1, "text": "x", "big": "7", "big@odata.type": "Edm.Int64"}
	etag := add(t, table, with(properties))
	found, err := list(table, aztables.ListEntitiesOptions{Select: to.Ptr("big,text")})
	must(t, err)
	equal(t, "entities", found, []object{{
		"odata.etag": string(etag), "big": "7", "big@odata.type": "Edm.Int64", "text": "x",
	}})
}

func TestSelectReturnsKeysAndTimestampWhenNamed(t *testing.T) {
	table, _ := newTable(t)
	etag := add(t, table, with(object{"int": 1, "text": "x"}))
	whole, _ := get(t, table, "p", "r")
	selected := to.Ptr("int,Timestamp,RowKey,PartitionKey")
	found, err := list(table, aztables.ListEntitiesOptions{Select: selected})
	must(t, err)
	equal(t, "entities", found, []object{{
		"odata.etag":   string(etag),
		"PartitionKey": "p",
		"RowKey":       "r",
		"Timestamp":    whole["Timestamp"],
		"int":          1.0,
	}})
}

func TestSelectReturnsNullWhenEntityLacksProperty(t *testing.T) {
	table, _ := newTable(t)
	one := add(t, table, entity("a", object{"int": 1}))
	two := add(t, table, entity("b", object{"text": "x"}))
	found, err := list(table, aztables.ListEntitiesOptions{Select: to.Ptr("RowKey,int,text")})
	must(t, err)
	equal(t, "entities", found, []object{
		{"odata.etag": string(one), "RowKey": "a", "int": 1.0, "text": nil},
		{"odata.etag": string(two), "RowKey": "b", "int": nil, "text": "x"},
	})
}

func TestFilterAppliesWhenSelectOmitsFilteredProperty(t *testing.T) {
	table, _ := newTable(t)
	addAll(t, table, samples())
	found, err := list(table, aztables.ListEntitiesOptions{
		Filter: to.Ptr("flag eq true"), Select: to.Ptr("text"),
	})
	must(t, err)
	texts := []any{}
	for _, one := range found {
		texts = append(texts, propertiesOf(one))
	}
	equal(t, "entities", texts, []any{object{"text": "alpha"}, object{"text": ""}})
}
