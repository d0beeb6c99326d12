package clienttests

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/data/aztables"
)

// roundTrip writes properties as the SDK's EDMEntity and answers them as it reads them back.
func roundTrip(t *testing.T, table *aztables.Client, properties object) object {
	t.Helper()
	written := aztables.EDMEntity{
		Entity:     aztables.Entity{PartitionKey: "p", RowKey: "r"},
		Properties: properties,
	}
	_, err := upsert(t, table, aztables.UpdateModeReplace, written)
	must(t, err)
	return readTyped(t, table, "r")
}

func readTyped(t *testing.T, table *aztables.Client, rowKey string) object {
	t.Helper()
	answer, err := table.GetEntity(ctx, "p", rowKey, nil)
	must(t, err)
	var read aztables.EDMEntity
	must(t, json.Unmarshal(answer.Value, &read))
	return read.Properties
}

// comesBack requires that values of the SDK's own types survive being written and read.
func comesBack(t *testing.T, table *aztables.Client, values object) {
	t.Helper()
	same(t, roundTrip(t, table, values), values)
}

func same(t *testing.T, got, want object) {
	t.Helper()
	for name, value := range want {
		if fmt.Sprintf("%T", got[name]) != fmt.Sprintf("%T", value) {
			t.Fatalf("type of %s: %T (expected: %T)", name, got[name], value)
		}
		equal(t, name, got[name], value)
	}
	equal(t, "number of properties", len(got), len(want))
}

// double annotates numbers, or the names of special ones, which EDMEntity cannot.
func double(values object) object {
	annotated := object{}
	for name, value := range values {
		annotated[name] = value
		annotated[name+"@odata.type"] = "Edm.Double"
	}
	return annotated
}

func TestInt64KeepsEveryDigitBeyond2ToThe53(t *testing.T) {
	table, _ := newTable(t)
	comesBack(t, table, object{
		"above": aztables.EDMInt64(9007199254740993),
		"below": aztables.EDMInt64(-9007199254740993),
		"max":   aztables.EDMInt64(math.MaxInt64),
		"min":   aztables.EDMInt64(math.MinInt64),
		"small": aztables.EDMInt64(7),
		"zero":  aztables.EDMInt64(0),
	})
}

func TestInt32KeepsSmallestAndLargestValue(t *testing.T) {
	table, _ := newTable(t)
	comesBack(t, table, object{
		"max": int32(math.MaxInt32), "min": int32(math.MinInt32), "zero": int32(0),
	})
}

func TestDoubleKeepsEveryBit(t *testing.T) {
	table, _ := newTable(t)
	values := object{
		"tenth":     0.1,
		"third":     1.0 / 3,
		"max":       math.MaxFloat64,
		"lowest":    -math.MaxFloat64,
		"smallest":  math.SmallestNonzeroFloat64,
		"subnormal": 2.2250738585072011e-308,
		"normal":    2.2250738585072014e-308,
		"epsilon":   math.Nextafter(1, 2),
		"huge":      1e300,
		"pi":        -math.Pi,
	}
	for _, written := range []object{values, double(values)} {
		_, err := upsert(t, table, aztables.UpdateModeReplace, with(written))
		must(t, err)
		found, _ := get(t, table, "p", "r")
		for name, value := range values {
			got := math.Float64bits(found[name].(float64))
			equal(t, "bits of "+name, got, math.Float64bits(value.(float64)))
		}
	}
}

func TestDoubleKeepsNaNAndBothInfinities(t *testing.T) {
	table, _ := newTable(t)
	written := double(object{"nan": "NaN", "up": "Infinity", "down": "-Infinity"})
	add(t, table, with(written))
	found, _ := get(t, table, "p", "r")
	for name, value := range written {
		equal(t, name, found[name], value)
	}
}

func TestWholeDoubleKeepsItsTypeAlsoAfterMerge(t *testing.T) {
	table, name := newTable(t)
	raw := &lastBody{}
	watched := newServiceClient(t, raw).NewClient(name)
	values := object{"five": 5, "minus": -3, "zero": 0, "big": 9007199254740992}
	add(t, table, with(double(values)))
	asDoubles := func() {
		t.Helper()
		_, err := watched.GetEntity(ctx, "p", "r", nil)
		must(t, err)
		for name, value := range values {
			// From 1E+15 on the service writes an exponent, which marks a Double as well.
			pattern := fmt.Sprintf(`"%s":(%d\.0+|-?\d(\.\d+)?E\+\d+)[,}]`, name, value)
			if !regexp.MustCompile(pattern).MatchString(raw.text) {
				t.Fatalf("%s needs a decimal point or an exponent in %s", name, raw.text)
			}
		}
	}
	asDoubles()
	_, err := update(t, table, aztables.UpdateModeMerge, "*", with(object{"other": "x"}))
	must(t, err)
	asDoubles()
}

func TestDateTimeKeeps100NsInUTCAndDropsTrailingZeros(t *testing.T) {
	table, _ := newTable(t)
	for what, one := range map[string]struct{ written, read string }{
		"DateTime keeps 100 ns": {
			"2021-02-11T09:48:30.0044005Z", "2021-02-11T09:48:30.0044005Z"},
		"DateTime keeps microseconds": {
			"2020-08-22T01:12:06.260859Z", "2020-08-22T01:12:06.260859Z"},
		"DateTime drops trailing zeros of fraction": {
			"2012-11-10T03:04:05.200Z", "2012-11-10T03:04:05.2Z"},
		"DateTime drops fraction when fraction is zero": {
			"1973-10-04T00:00:00.0000000Z", "1973-10-04T00:00:00Z"},
		"DateTime keeps earliest value": {
			"1601-01-01T00:00:00Z", "1601-01-01T00:00:00Z"},
		"DateTime keeps latest value": {
			"9999-12-31T23:59:59.9999999Z", "9999-12-31T23:59:59.9999999Z"},
		"DateTime is taken as UTC when it has no zone": {
			"2012-01-02T23:00:00", "2012-01-02T23:00:00Z"},
		"DateTime is converted to UTC when it has an offset": {
			"2012-01-02T23:00:00+02:00", "2012-01-02T21:00:00Z"},
	} {
		t.Run(what, func(t *testing.T) {
			value := with(object{"time": one.written, "time@odata.type": "Edm.DateTime"})
			_, err := upsert(t, table, aztables.UpdateModeReplace, value)
			must(t, err)
			found, _ := get(t, table, "p", "r")
			equal(t, "time", found["time"], any(one.read))
			equal(t, "type", found["time@odata.type"], any("Edm.DateTime"))
		})
	}
}

func TestGoTimeKeepsIts100Ns(t *testing.T) {
	table, _ := newTable(t)
	instant := time.Date(2026, time.July, 31, 23, 59, 59, 987654300, time.UTC)
	read := roundTrip(t, table, object{"time": aztables.EDMDateTime(instant)})
	got := time.Time(read["time"].(aztables.EDMDateTime))
	if !got.Equal(instant) {
		t.Fatalf("time: %v (expected: %v)", got, instant)
	}
}

func TestGuidKeepsItsValue(t *testing.T) {
	table, _ := newTable(t)
	comesBack(t, table, object{
		"some": aztables.EDMGUID("c9da6455-213d-42c9-9a79-3e9149a57833"),
		"zero": aztables.EDMGUID("00000000-0000-0000-0000-000000000000"),
		"full": aztables.EDMGUID("ffffffff-ffff-ffff-ffff-ffffffffffff"),
	})
}

func TestBinaryKeepsEveryByteEvenWhenEmpty(t *testing.T) {
	table, _ := newTable(t)
	all := make([]byte, 256)
	for i := range all {
		all[i] = byte(i)
	}
	comesBack(t, table, object{
		"empty":   aztables.EDMBinary{},
		"one":     aztables.EDMBinary{0},
		"two":     aztables.EDMBinary{255, 254},
		"three":   aztables.EDMBinary{1, 2, 3},
		"all":     aztables.EDMBinary(all),
		"largest": aztables.EDMBinary(bytes.Repeat(all, 256)),
	})
}

func TestBooleanKeepsTrueAndFalse(t *testing.T) {
	table, _ := newTable(t)
	comesBack(t, table, object{"yes": true, "no": false})
}

func TestStringKeepsEveryCharacterAndWhiteSpace(t *testing.T) {
	table, _ := newTable(t)
	comesBack(t, table, object{
		"empty":       "",
		"blanks":      "   ",
		"leading":     "   T",
		"trailing":    "T   ",
		"lines":       "\n\nhi\r\n\tthere\n\n",
		"quotes":      "'single' \"double\" \\ / `back`",
		"markup":      "<a&b>;--changesetresponse_x--",
		"braces":      `{"odata.error":{"code":"none"}}`,
		"percent":     "100% %41 %zz a+b",
		"accents":     "Ünïcödé — naïve Ångström",
		"japanese":    "日本語テキスト",
		"hebrew":      "שלום עולם",
		"combining":   "e\u0301 is not \u00e9",
		"emoji":       "🌱👩\u200d🌾🇸🇪",
		"separators":  "a\u2028b\u2029c\ufeffd",
		"highest":     "\uffee\U0010ffff",
		"likeDate":    "2020-01-01T00:00:00Z",
		"likeNumber":  "12",
		"likeNaN":     "NaN",
		"likeBoolean": "true",
		"likeGuid":    "c9da6455-213d-42c9-9a79-3e9149a57833",
		"longest":     strings.Repeat("ä", 32768),
	})
}

func TestPropertyNameAcceptsUnicodeDigitsAndUnderscores(t *testing.T) {
	table, _ := newTable(t)
	comesBack(t, table, object{
		"啊": "1", "_a1": "2", "größe": "3", "x2": "4", strings.Repeat("n", 255): "5",
	})
}

func TestEntityKeeps252PropertiesOfMixedTypes(t *testing.T) {
	table, _ := newTable(t)
	values := object{}
	for i := 0; i < 252; i += 4 {
		values[fmt.Sprintf("p%d", i)] = int32(i)
		values[fmt.Sprintf("p%d", i+1)] = aztables.EDMInt64(int64(i) << 40)
		values[fmt.Sprintf("p%d", i+2)] = fmt.Sprintf("text %d", i)
		values[fmt.Sprintf("p%d", i+3)] = i%8 == 0
	}
	comesBack(t, table, values)
}

var mixed = object{
	"big":   aztables.EDMInt64(9007199254740993),
	"int":   int32(-5),
	"half":  0.5,
	"yes":   true,
	"empty": "",
	"emoji": "🌱 {braces} 'quotes'\r\n--line",
	"id":    aztables.EDMGUID("c9da6455-213d-42c9-9a79-3e9149a57833"),
	"bytes": aztables.EDMBinary{1, 2, 3},
}

func mixedEntity(rowKey string) aztables.EDMEntity {
	return aztables.EDMEntity{
		Entity:     aztables.Entity{PartitionKey: "p", RowKey: rowKey},
		Properties: mixed,
	}
}

func TestMergeKeepsTypesOfPropertiesAbsentFromRequest(t *testing.T) {
	table, _ := newTable(t)
	add(t, table, mixedEntity("r"))
	_, err := update(t, table, aztables.UpdateModeMerge, "*", with(object{"other": "x"}))
	must(t, err)
	read := readTyped(t, table, "r")
	equal(t, "other", read["other"], any("x"))
	delete(read, "other")
	same(t, read, mixed)
}

func TestBatchKeepsValuesAndTypesOfProperties(t *testing.T) {
	table, _ := newTable(t)
	_, err := table.SubmitTransaction(ctx, []aztables.TransactionAction{
		action(t, aztables.TransactionTypeAdd, mixedEntity("added")),
		action(t, aztables.TransactionTypeInsertReplace, mixedEntity("replaced")),
		action(t, aztables.TransactionTypeInsertMerge, mixedEntity("merged")),
	}, nil)
	must(t, err)
	for _, rowKey := range []string{"added", "replaced", "merged"} {
		same(t, readTyped(t, table, rowKey), mixed)
	}
}

func TestQueryReturnsEachPropertyWithItsStoredType(t *testing.T) {
	table, _ := newTable(t)
	add(t, table, mixedEntity("r"))
	page, err := table.NewListEntitiesPager(nil).NextPage(ctx)
	must(t, err)
	equal(t, "entities", len(page.Entities), 1)
	var read aztables.EDMEntity
	must(t, json.Unmarshal(page.Entities[0], &read))
	same(t, read.Properties, mixed)
}
