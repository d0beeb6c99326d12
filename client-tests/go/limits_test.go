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

func TestWriteFailsWith400WhenEntityIsInvalid(t *testing.T) {
	for condition, one := range map[string]struct {
		code       aztables.TableErrorCode
		properties object
	}{
		"String has 32,769 characters": {
			aztables.PropertyValueTooLarge, object{"text": strings.Repeat("x", 32769)}},
		"Binary has 65,537 bytes": {
			aztables.PropertyValueTooLarge, typed("Binary", aztables.EDMBinary(make([]byte, 65537)))},
		"property name has 256 characters": {
			aztables.PropertyNameTooLong, object{strings.Repeat("n", 256): 1}},
		"property name has a blank":  {aztables.PropertyNameInvalid, object{"two words": 1}},
		"property name has a hyphen": {aztables.PropertyNameInvalid, object{"a-b": 1}},
		"entity has 253 properties":  {aztables.TooManyProperties, many(253, 1)},
		"entity exceeds 1 MiB": {
			aztables.EntityTooLarge, many(17, strings.Repeat("x", 32000))},
		"DateTime is before 1601": {
			aztables.OutOfRangeInput, typed("DateTime", "1600-12-31T23:59:59.9999999Z")},
		"DateTime is malformed": {aztables.InvalidInput, typed("DateTime", "yesterday")},
		"Int64 is malformed":    {aztables.InvalidInput, typed("Int64", "abc")},
		"Int64 is out of range": {aztables.InvalidInput, typed("Int64", "9223372036854775808")},
		"Guid is malformed":     {aztables.InvalidInput, typed("Guid", "no-guid")},
		"value is an object":    {aztables.InvalidInput, object{"value": object{"a": 1}}},
	} {
		t.Run("Write fails with 400 when "+condition, func(t *testing.T) {
			table, _ := newTable(t)
			_, err := table.AddEntity(ctx, encode(t, with(one.properties)), nil)
			refused(t, err, 400, one.code)
			_, err = upsert(t, table, aztables.UpdateModeMerge, with(one.properties))
			refused(t, err, 400, one.code)
			equal(t, "entities", listAll(t, table), []object{})
		})
	}
}

func TestInsertStoresEntityWhenSizeIsJustBelow1MiB(t *testing.T) {
	table, _ := newTable(t)
	properties := many(16, strings.Repeat("x", 32000))
	add(t, table, with(properties))
	found, _ := get(t, table, "p", "r")
	if text(propertiesOf(found)) != text(properties) {
		t.Fatal("the stored entity is not the written one")
	}
}

func TestQueryFailsWith400WhenPageSizeIs1001(t *testing.T) {
	table, _ := newTable(t)
	_, err := list(table, aztables.ListEntitiesOptions{Top: to.Ptr(int32(1001))})
	refused(t, err, 400, aztables.InvalidInput)
}
