package clienttests

import (
	"fmt"
	"strings"
	"testing"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore/to"
	"github.com/Azure/azure-sdk-for-go/sdk/data/aztables"
)

func many(count int, value any) object {
	properties := object{}
	for i := range count {
		properties[fmt.Sprintf("p%d", i)] = value
	}
	return properties
}

func typed(edmType string, value any) object {
	return object{"value": value, "value@odata.type": "Edm." + edmType}
}

func TestAnEntityBeyondALimitIsRefusedAndNotStored(t *testing.T) {
	for what, one := range map[string]struct {
		code       aztables.TableErrorCode
		properties object
	}{
		"a text of 32,769 characters": {
			aztables.PropertyValueTooLarge, object{"text": strings.Repeat("x", 32769)}},
		"a Binary of 65,537 bytes": {
			aztables.PropertyValueTooLarge, typed("Binary", aztables.EDMBinary(make([]byte, 65537)))},
		"a property name of 256 characters": {
			aztables.PropertyNameTooLong, object{strings.Repeat("n", 256): 1}},
		"a property name with a blank":  {aztables.PropertyNameInvalid, object{"two words": 1}},
		"a property name with a hyphen": {aztables.PropertyNameInvalid, object{"a-b": 1}},
		"253 properties":                {aztables.TooManyProperties, many(253, 1)},
		"more than 1 MiB": {
			aztables.EntityTooLarge, many(17, strings.Repeat("x", 32000))},
		"a DateTime before 1601": {
			aztables.OutOfRangeInput, typed("DateTime", "1600-12-31T23:59:59.9999999Z")},
		"text that is no DateTime":      {aztables.InvalidInput, typed("DateTime", "yesterday")},
		"text that is no Int64":         {aztables.InvalidInput, typed("Int64", "abc")},
		"an Int64 beyond its limit":     {aztables.InvalidInput, typed("Int64", "9223372036854775808")},
		"text that is no Guid":          {aztables.InvalidInput, typed("Guid", "no-guid")},
		"an object in place of a value": {aztables.InvalidInput, object{"value": object{"a": 1}}},
	} {
		t.Run(what, func(t *testing.T) {
			table, _ := newTable(t)
			_, err := table.AddEntity(ctx, encode(t, with(one.properties)), nil)
			refused(t, err, 400, one.code)
			_, err = upsert(t, table, aztables.UpdateModeMerge, with(one.properties))
			refused(t, err, 400, one.code)
			equal(t, "entities", listAll(t, table), []object{})
		})
	}
}

func TestAnEntityJustBelow1MiBIsStored(t *testing.T) {
	table, _ := newTable(t)
	properties := many(16, strings.Repeat("x", 32000))
	add(t, table, with(properties))
	found, _ := get(t, table, "p", "r")
	if text(propertiesOf(found)) != text(properties) {
		t.Fatal("the stored entity is not the written one")
	}
}

func TestAPageSizeOf1001Answers400InvalidInput(t *testing.T) {
	table, _ := newTable(t)
	_, err := list(table, aztables.ListEntitiesOptions{Top: to.Ptr(int32(1001))})
	refused(t, err, 400, aztables.InvalidInput)
}
