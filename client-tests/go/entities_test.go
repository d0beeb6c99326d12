package clienttests

import (
	"strings"
	"testing"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/azcore/to"
	"github.com/Azure/azure-sdk-for-go/sdk/data/aztables"
)

func holds(t *testing.T, table *aztables.Client, properties object) {
	t.Helper()
	found, _ := get(t, table, "p", "r")
	equal(t, "properties", propertiesOf(found), properties)
}

func TestGetReturnsInsertedPropertiesETagAndTimestamp(t *testing.T) {
	table, _ := newTable(t)
	now := time.Now()
	etag := add(t, table, with(object{"colour": "red", "size": 3}))
	found, read := get(t, table, "p", "r")
	equal(t, "properties", propertiesOf(found), object{"colour": "red", "size": 3.0})
	equal(t, "keys", []any{found["PartitionKey"], found["RowKey"]}, []any{"p", "r"})
	equal(t, "ETag in the header", read, etag)
	equal(t, "ETag in the body", found["odata.etag"], any(string(etag)))
	timestamp := found["Timestamp"].(string)
	encoded := strings.ReplaceAll(timestamp, ":", "%3A")
	equal(t, "ETag", string(etag), `W/"datetime'`+encoded+`'"`)
	written, err := time.Parse(time.RFC3339Nano, timestamp)
	must(t, err)
	if written.Sub(now).Abs() > 15*time.Minute {
		t.Fatalf("Timestamp: %s (expected: about %s)", written, now)
	}
}

func TestInsertReturnsStoredEntity(t *testing.T) {
	table, _ := newTable(t)
	answer, err := table.AddEntity(ctx, encode(t, with(object{"n": 1})), nil)
	must(t, err)
	stored, _ := get(t, table, "p", "r")
	equal(t, "answer", decode(t, answer.Value), stored)
}

func TestInsertFailsWith409WhenEntityExists(t *testing.T) {
	table, _ := newTable(t)
	first := add(t, table, with(object{"n": 1}))
	_, err := table.AddEntity(ctx, encode(t, with(object{"n": 2})), nil)
	refused(t, err, 409, aztables.EntityAlreadyExists)
	found, etag := get(t, table, "p", "r")
	equal(t, "properties", propertiesOf(found), object{"n": 1.0})
	equal(t, "ETag", etag, first)
}

func TestGetUpdateAndDeleteFailWith404WhenEntityIsMissing(t *testing.T) {
	table, _ := newTable(t)
	add(t, table, entity("other", nil))
	_, err := table.GetEntity(ctx, "p", "r", nil)
	refused(t, err, 404, aztables.ResourceNotFound)
	for _, mode := range aztables.PossibleUpdateModeValues() {
		_, err = update(t, table, mode, azcore.ETagAny, with(object{"n": 1}))
		refused(t, err, 404, aztables.ResourceNotFound)
	}
	_, err = table.DeleteEntity(ctx, "p", "r", nil)
	refused(t, err, 404, aztables.ResourceNotFound)
	equal(t, "table", contents(t, table), map[string]object{"other": {}})
}

func TestDeletedEntityAnswers404AndCanBeInsertedAgain(t *testing.T) {
	table, _ := newTable(t)
	add(t, table, with(object{"n": 1}))
	_, err := table.DeleteEntity(ctx, "p", "r", nil)
	must(t, err)
	_, err = table.GetEntity(ctx, "p", "r", nil)
	refused(t, err, 404, aztables.ResourceNotFound)
	add(t, table, with(object{"m": 2}))
	holds(t, table, object{"m": 2.0})
}

func TestMergeChangesGivenPropertiesAndKeepsOthers(t *testing.T) {
	table, _ := newTable(t)
	add(t, table, with(object{"a": 1, "b": 2}))
	etag, err := update(t, table, aztables.UpdateModeMerge, "*", with(object{"b": 3, "c": "x"}))
	must(t, err)
	holds(t, table, object{"a": 1.0, "b": 3.0, "c": "x"})
	_, stored := get(t, table, "p", "r")
	equal(t, "ETag", stored, etag)
}

func TestReplaceRemovesPropertiesAbsentFromRequest(t *testing.T) {
	table, _ := newTable(t)
	add(t, table, with(object{"a": 1, "b": 2}))
	etag, err := update(t, table, aztables.UpdateModeReplace, "*", with(object{"d": 4}))
	must(t, err)
	holds(t, table, object{"d": 4.0})
	_, stored := get(t, table, "p", "r")
	equal(t, "ETag", stored, etag)
}

func TestInsertOrMergeInsertsMissingAndMergesExistingEntity(t *testing.T) {
	table, _ := newTable(t)
	inserted, err := upsert(t, table, aztables.UpdateModeMerge, with(object{"a": 1, "b": 2}))
	must(t, err)
	_, stored := get(t, table, "p", "r")
	equal(t, "ETag", stored, inserted)
	_, err = upsert(t, table, aztables.UpdateModeMerge, with(object{"b": 3, "c": 4}))
	must(t, err)
	holds(t, table, object{"a": 1.0, "b": 3.0, "c": 4.0})
}

func TestInsertOrReplaceInsertsMissingAndReplacesExistingEntity(t *testing.T) {
	table, _ := newTable(t)
	inserted, err := upsert(t, table, aztables.UpdateModeReplace, with(object{"a": 1, "b": 2}))
	must(t, err)
	_, stored := get(t, table, "p", "r")
	equal(t, "ETag", stored, inserted)
	_, err = upsert(t, table, aztables.UpdateModeReplace, with(object{"b": 3, "c": 4}))
	must(t, err)
	holds(t, table, object{"b": 3.0, "c": 4.0})
}

func TestInsertDropsPropertyWhenValueIsNull(t *testing.T) {
	table, _ := newTable(t)
	add(t, table, with(object{"a": 1, "b": nil, "c": nil, "c@odata.type": "Edm.Int64"}))
	holds(t, table, object{"a": 1.0})
}

func TestMergeKeepsStoredPropertyWhenValueIsNull(t *testing.T) {
	table, _ := newTable(t)
	add(t, table, with(object{"a": 1, "b": 2}))
	_, err := update(t, table, aztables.UpdateModeMerge, "*", with(object{"a": nil, "b": 3}))
	must(t, err)
	holds(t, table, object{"a": 1.0, "b": 3.0})
	_, err = upsert(t, table, aztables.UpdateModeMerge, with(object{"b": nil, "c": 4}))
	must(t, err)
	holds(t, table, object{"a": 1.0, "b": 3.0, "c": 4.0})
}

func TestReplaceRemovesStoredPropertyWhenValueIsNull(t *testing.T) {
	table, _ := newTable(t)
	add(t, table, with(object{"a": 1, "b": 2}))
	_, err := update(t, table, aztables.UpdateModeReplace, "*", with(object{"a": nil, "b": 3}))
	must(t, err)
	holds(t, table, object{"b": 3.0})
	_, err = upsert(t, table, aztables.UpdateModeReplace, with(object{"b": nil, "c": 4}))
	must(t, err)
	holds(t, table, object{"c": 4.0})
}

func TestMergeChangesPropertyTypeWhenValueTypeDiffers(t *testing.T) {
	table, _ := newTable(t)
	add(t, table, with(object{"a": "9007199254740993", "a@odata.type": "Edm.Int64"}))
	_, err := update(t, table, aztables.UpdateModeMerge, "*", with(object{"a": "text"}))
	must(t, err)
	found, _ := get(t, table, "p", "r")
	equal(t, "value", found["a"], any("text"))
	if _, annotated := found["a@odata.type"]; annotated {
		t.Fatalf("type: %v (expected: none, it is a String now)", found["a@odata.type"])
	}
}

func TestPropertiesAreDistinctWhenNamesDifferOnlyByCase(t *testing.T) {
	table, _ := newTable(t)
	add(t, table, with(object{"Birthday": "upper", "birthday": "lower"}))
	holds(t, table, object{"Birthday": "upper", "birthday": "lower"})
}

func TestInsertFailsWithSDKErrorWhenKeyIsMissing(t *testing.T) {
	table, _ := newTable(t)
	for _, half := range []object{{"PartitionKey": "p"}, {"RowKey": "r"}} {
		_, err := table.AddEntity(ctx, encode(t, half), nil)
		if err == nil || err.Error() != "entity must have a PartitionKey and RowKey" {
			t.Fatalf("error: %v (expected: the SDK's own text for the 400 of the server)", err)
		}
	}
	equal(t, "entities", listAll(t, table), []object{})
}

func TestInsertIgnoresTimestampOfRequestBody(t *testing.T) {
	table, _ := newTable(t)
	add(t, table, struct {
		aztables.Entity
		Colour string
	}{aztables.Entity{PartitionKey: "p", RowKey: "r"}, "red"})
	found, etag := get(t, table, "p", "r")
	equal(t, "properties", propertiesOf(found), object{"Colour": "red"})
	ticksOf(t, etag)
	if strings.HasPrefix(found["Timestamp"].(string), "0001") {
		t.Fatalf("Timestamp: %v (expected: the time of the write)", found["Timestamp"])
	}
}

func TestGetReturnsTypeIDAndEditLinkWhenMetadataIsFull(t *testing.T) {
	table, name := newTable(t)
	etag := add(t, table, with(object{"big": "7", "big@odata.type": "Edm.Int64"}))
	options := &aztables.GetEntityOptions{Format: to.Ptr(aztables.MetadataFormatFull)}
	answer, err := table.GetEntity(ctx, "p", "r", options)
	must(t, err)
	found := decode(t, answer.Value)
	address := name + "(PartitionKey='p',RowKey='r')"
	equal(t, "entity", found, object{
		"odata.metadata":       endpoint + "/$metadata#" + name + "/@Element",
		"odata.type":           account + "." + name,
		"odata.id":             endpoint + "/" + address,
		"odata.etag":           string(etag),
		"odata.editLink":       address,
		"PartitionKey":         "p",
		"RowKey":               "r",
		"Timestamp":            found["Timestamp"],
		"Timestamp@odata.type": "Edm.DateTime",
		"big":                  "7",
		"big@odata.type":       "Edm.Int64",
	})
}

func TestGetReturnsNoAnnotationsWhenMetadataIsNone(t *testing.T) {
	table, _ := newTable(t)
	etag := add(t, table, with(object{"big": "7", "big@odata.type": "Edm.Int64"}))
	options := &aztables.GetEntityOptions{Format: to.Ptr(aztables.MetadataFormatNone)}
	answer, err := table.GetEntity(ctx, "p", "r", options)
	must(t, err)
	equal(t, "ETag", answer.ETag, etag)
	found := decode(t, answer.Value)
	equal(t, "entity", found, object{
		"PartitionKey": "p", "RowKey": "r", "Timestamp": found["Timestamp"], "big": "7",
	})
}
