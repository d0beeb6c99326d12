package clienttests

import (
	"fmt"
	"strings"
	"testing"

	"github.com/Azure/azure-sdk-for-go/sdk/data/aztables"
)

var demandingKeys = []string{
	"O'Brien",
	"''''",
	"a b",
	" leading and trailing ",
	"50%",
	"p-%20-%27-pk",
	"a+b",
	"a&b=c;d",
	"a,b",
	"(x),(y)",
	`"A'aaa_b"`,
	"a@b:c",
	".!~*$^_|-",
	"[i]{j}",
	"a<b>c`d",
	"Ünïcödé — Ångström",
	"日本語",
	"🌱👩\u200d🌾",
	"e\u0301\u00a0\ufeff",
}

func finding(partitionKey, rowKey string) string {
	double := func(key string) string { return strings.ReplaceAll(key, "'", "''") }
	return fmt.Sprintf("PartitionKey eq '%s' and RowKey eq '%s'",
		double(partitionKey), double(rowKey))
}

func TestEntityOperationsWorkWhenKeyNeedsEscaping(t *testing.T) {
	for _, key := range demandingKeys {
		t.Run("Entity operations work when key is "+key, func(t *testing.T) {
			table, _ := newTable(t)
			keyed := func(properties object) object {
				whole := object{"PartitionKey": key, "RowKey": key}
				for name, value := range properties {
					whole[name] = value
				}
				return whole
			}
			is := func(properties object) {
				t.Helper()
				found, _ := get(t, table, key, key)
				equal(t, "keys", []any{found["PartitionKey"], found["RowKey"]}, []any{key, key})
				equal(t, "properties", propertiesOf(found), properties)
			}
			add(t, table, keyed(object{"n": 1}))
			is(object{"n": 1.0})
			_, err := table.AddEntity(ctx, encode(t, keyed(nil)), nil)
			refused(t, err, 409, aztables.EntityAlreadyExists)

			_, err = update(t, table, aztables.UpdateModeMerge, "*", keyed(object{"m": 2}))
			must(t, err)
			is(object{"n": 1.0, "m": 2.0})
			_, err = upsert(t, table, aztables.UpdateModeReplace, keyed(object{"m": 3}))
			must(t, err)
			is(object{"m": 3.0})

			equal(t, "row keys", answerTo(table, finding(key, key)), key)

			_, err = table.DeleteEntity(ctx, key, key, nil)
			must(t, err)
			_, err = table.GetEntity(ctx, key, key, nil)
			refused(t, err, 404, aztables.ResourceNotFound)
		})
	}
}

func TestBatchInsertsAndDeletesWhenKeysNeedEscaping(t *testing.T) {
	table, _ := newTable(t)
	inserts, deletes := []aztables.TransactionAction{}, []aztables.TransactionAction{}
	expected := map[string]object{}
	for _, key := range demandingKeys {
		inserts = append(inserts, add1(t, key, object{"n": 1}))
		// In a batch the SDK writes the keys into the address as they are, so that quotes have to
		// come doubled; its own EDMEntity does that.
		doubled := aztables.EDMEntity{Entity: aztables.Entity{PartitionKey: "p", RowKey: key}}
		deletes = append(deletes, action(t, aztables.TransactionTypeDelete, doubled))
		expected[key] = object{"n": 1.0}
	}
	must(t, submit(table, inserts...))
	equal(t, "table", contents(t, table), expected)
	must(t, submit(table, deletes...))
	equal(t, "entities", listAll(t, table), []object{})
}

func TestInsertStoresRowKeyQuotesDoubledByEDMEntity(t *testing.T) {
	table, _ := newTable(t)
	add(t, table, aztables.EDMEntity{Entity: aztables.Entity{PartitionKey: "p", RowKey: "it's"}})
	found, _ := get(t, table, "p", "it''s")
	equal(t, "row key", found["RowKey"], any("it''s"))
	_, err := table.GetEntity(ctx, "p", "it's", nil)
	refused(t, err, 404, aztables.ResourceNotFound)
}

func TestEntityOperationsWorkWhenRowKeyIsEmpty(t *testing.T) {
	table, _ := newTable(t)
	add(t, table, entity("", object{"n": 1}))
	_, err := update(t, table, aztables.UpdateModeMerge, "*", entity("", object{"m": 2}))
	must(t, err)
	found, _ := get(t, table, "p", "")
	equal(t, "row key", found["RowKey"], any(""))
	equal(t, "properties", propertiesOf(found), object{"n": 1.0, "m": 2.0})
	rowKeys, err := rowKeysOf(table, finding("p", ""))
	must(t, err)
	equal(t, "row keys", rowKeys, []string{""})
	must(t, submit(table, action(t, aztables.TransactionTypeInsertReplace, entity("", nil))))
	_, err = table.DeleteEntity(ctx, "p", "", nil)
	must(t, err)
	equal(t, "entities", listAll(t, table), []object{})
}

func TestInsertAndQueryWorkWhenPartitionKeyIsEmpty(t *testing.T) {
	table, _ := newTable(t)
	add(t, table, object{"PartitionKey": "", "RowKey": "r", "n": 1})
	_, err := table.AddEntity(ctx, encode(t, object{"PartitionKey": "", "RowKey": "r"}), nil)
	refused(t, err, 409, aztables.EntityAlreadyExists)
	equal(t, "row keys", answerTo(table, finding("", "r")), "r")
	_, err = table.GetEntity(ctx, "", "r", nil)
	if err == nil || err.Error() != "parameter partitionKey cannot be empty" {
		t.Fatalf("error: %v (expected: the SDK's own refusal)", err)
	}
}

func TestEntitiesStayDistinctWhenRowKeysLookAlike(t *testing.T) {
	table, _ := newTable(t)
	rowKeys := []string{"a", "A", "a ", " a", "%61", "'a'", "\u00e9", "e\u0301"}
	for _, rowKey := range rowKeys {
		add(t, table, entity(rowKey, object{"own": rowKey}))
	}
	for _, rowKey := range rowKeys {
		found, _ := get(t, table, "p", rowKey)
		equal(t, "own", found["own"], any(rowKey))
	}
}

func TestInsertAndGetSucceedWhenKeysHave1024Characters(t *testing.T) {
	table, _ := newTable(t)
	long := strings.Repeat("k", 1024)
	add(t, table, object{"PartitionKey": long, "RowKey": long, "n": 1})
	found, _ := get(t, table, long, long)
	equal(t, "properties", propertiesOf(found), object{"n": 1.0})
}

func TestInsertFailsWith400WhenKeyHas2048Characters(t *testing.T) {
	table, _ := newTable(t)
	for _, key := range []string{"PartitionKey", "RowKey"} {
		broken := with(object{key: strings.Repeat("k", 2048)})
		_, err := table.AddEntity(ctx, encode(t, broken), nil)
		refused(t, err, 400, aztables.PropertyValueTooLarge)
	}
}

func TestInsertFailsWith400WhenKeyHasForbiddenCharacter(t *testing.T) {
	table, _ := newTable(t)
	for _, character := range "/\\#?\t\n\u001f\u007f\u009f" {
		for _, key := range []string{"PartitionKey", "RowKey"} {
			broken := with(object{key: fmt.Sprintf("a%cb", character)})
			_, err := table.AddEntity(ctx, encode(t, broken), nil)
			refused(t, err, 400, aztables.OutOfRangeInput)
		}
	}
	equal(t, "entities", listAll(t, table), []object{})
}
