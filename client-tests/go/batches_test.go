package clienttests

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/azcore/to"
	"github.com/Azure/azure-sdk-for-go/sdk/data/aztables"
)

const staleETag azcore.ETag = `W/"datetime'2012-06-15T22%3A51%3A44.9662825Z'"`

func numbered(prefix string, count int) []string {
	names := make([]string, count)
	for i := range names {
		names[i] = fmt.Sprintf("%s%03d", prefix, i)
	}
	return names
}

func add1(t *testing.T, rowKey string, properties object) aztables.TransactionAction {
	t.Helper()
	return action(t, aztables.TransactionTypeAdd, entity(rowKey, properties))
}

// conditional answers an action that carries an If-Match header; without one the SDK sends an
// update as an upsert.
func conditional(
	t *testing.T, kind aztables.TransactionType, etag azcore.ETag, rowKey string, properties object,
) aztables.TransactionAction {
	t.Helper()
	one := action(t, kind, entity(rowKey, properties))
	one.IfMatch = to.Ptr(etag)
	return one
}

func submit(table *aztables.Client, actions ...aztables.TransactionAction) error {
	_, err := table.SubmitTransaction(ctx, actions, nil)
	return err
}

func TestBatchAppliesAllOf100MixedOperations(t *testing.T) {
	table, _ := newTable(t)
	old, fresh := numbered("old", 70), numbered("new", 30)
	stored := []object{}
	for _, rowKey := range old {
		stored = append(stored, entity(rowKey, object{"a": 1, "b": 2}))
	}
	addAll(t, table, stored)

	actions := []aztables.TransactionAction{}
	expected := map[string]object{}
	queue := func(
		rowKeys []string, kind aztables.TransactionType, etag *azcore.ETag, sent, left object,
	) {
		for _, rowKey := range rowKeys {
			one := action(t, kind, entity(rowKey, sent))
			one.IfMatch = etag
			actions = append(actions, one)
			if left != nil {
				expected[rowKey] = left
			}
		}
	}
	exists := to.Ptr(azcore.ETagAny)
	queue(old[:20], aztables.TransactionTypeDelete, nil, nil, nil)
	queue(old[20:35], aztables.TransactionTypeUpdateMerge, exists,
		object{"b": 3}, object{"a": 1.0, "b": 3.0})
	queue(old[35:50], aztables.TransactionTypeUpdateReplace, exists,
		object{"b": 4}, object{"b": 4.0})
	queue(old[50:60], aztables.TransactionTypeInsertMerge, nil,
		object{"b": 5}, object{"a": 1.0, "b": 5.0})
	queue(old[60:], aztables.TransactionTypeInsertReplace, nil,
		object{"b": 6}, object{"b": 6.0})
	queue(fresh[:20], aztables.TransactionTypeAdd, nil, object{"b": 7}, object{"b": 7.0})
	queue(fresh[20:25], aztables.TransactionTypeInsertMerge, nil, object{"b": 8}, object{"b": 8.0})
	queue(fresh[25:], aztables.TransactionTypeInsertReplace, nil, object{"b": 9}, object{"b": 9.0})
	equal(t, "operations", len(actions), 100)

	must(t, submit(table, actions...))

	equal(t, "table", contents(t, table), expected)
}

func TestBatchOfOneInsertBehavesLikeSingleInsert(t *testing.T) {
	table, _ := newTable(t)
	must(t, submit(table, add1(t, "r", object{"n": 1})))
	equal(t, "table", contents(t, table), map[string]object{"r": {"n": 1.0}})
	if err := submit(table, add1(t, "r", object{"n": 2})); err == nil {
		t.Fatal("the second insert passed (expected: 409 EntityAlreadyExists)")
	}
	equal(t, "table", contents(t, table), map[string]object{"r": {"n": 1.0}})
}

func TestBatchRollsBackWith404WhenEntityIsMissing(t *testing.T) {
	table, _ := newTable(t)
	add(t, table, entity("stored", object{"n": 1}))
	for _, kind := range []aztables.TransactionType{
		aztables.TransactionTypeDelete,
		aztables.TransactionTypeUpdateMerge,
		aztables.TransactionTypeUpdateReplace,
	} {
		err := submit(table,
			add1(t, "one", nil),
			conditional(t, aztables.TransactionTypeUpdateMerge, "*", "stored", object{"n": 2}),
			conditional(t, kind, azcore.ETagAny, "missing", nil),
			add1(t, "three", nil))
		refusedBatch(t, err, 404, aztables.ResourceNotFound,
			"2:The specified resource does not exist.")
	}
	equal(t, "table", contents(t, table), map[string]object{"stored": {"n": 1.0}})
}

func TestBatchRollsBackWith409WhenInsertedEntityExists(t *testing.T) {
	table, _ := newTable(t)
	add(t, table, entity("stored", object{"n": 1}))
	err := submit(table,
		add1(t, "one", nil),
		add1(t, "two", nil),
		action(t, aztables.TransactionTypeInsertReplace, entity("three", nil)),
		add1(t, "stored", object{"n": 2}))
	refusedBatch(t, err, 409, aztables.EntityAlreadyExists,
		"3:The specified entity already exists.")
	equal(t, "table", contents(t, table), map[string]object{"stored": {"n": 1.0}})
}

func TestBatchRollsBackWith412WhenGivenStaleETag(t *testing.T) {
	table, _ := newTable(t)
	etag := add(t, table, entity("stored", object{"n": 1}))
	for _, kind := range []aztables.TransactionType{
		aztables.TransactionTypeDelete,
		aztables.TransactionTypeUpdateMerge,
		aztables.TransactionTypeUpdateReplace,
	} {
		err := submit(table,
			add1(t, "one", nil),
			conditional(t, kind, staleETag, "stored", object{"n": 2}))
		refusedBatch(t, err, 412, aztables.UpdateConditionNotSatisfied,
			"1:The update condition specified in the request was not satisfied.")
	}
	equal(t, "table", contents(t, table), map[string]object{"stored": {"n": 1.0}})
	_, stored := get(t, table, "p", "stored")
	equal(t, "ETag", stored, etag)
}

func TestBatchAppliesUpdateAndDeleteWhenGivenCurrentETag(t *testing.T) {
	table, _ := newTable(t)
	one := add(t, table, entity("one", object{"n": 1}))
	two := add(t, table, entity("two", object{"n": 1}))
	must(t, submit(table,
		conditional(t, aztables.TransactionTypeUpdateReplace, one, "one", object{"n": 2}),
		conditional(t, aztables.TransactionTypeDelete, two, "two", nil),
		add1(t, "three", nil)))
	equal(t, "table", contents(t, table), map[string]object{"one": {"n": 2.0}, "three": {}})
}

func TestBatchUpdateInsertsEntityWhenSDKSendsNoIfMatch(t *testing.T) {
	table, _ := newTable(t)
	must(t, submit(table,
		action(t, aztables.TransactionTypeUpdateMerge, entity("merged", object{"n": 1})),
		action(t, aztables.TransactionTypeUpdateReplace, entity("replaced", object{"n": 2}))))
	equal(t, "table", contents(t, table),
		map[string]object{"merged": {"n": 1.0}, "replaced": {"n": 2.0}})
}

func TestBatchRollsBackWith400WhenValueIsTooLarge(t *testing.T) {
	table, _ := newTable(t)
	err := submit(table,
		add1(t, "one", nil),
		add1(t, "two", object{"text": strings.Repeat("x", 32769)}))
	refusedBatch(t, err, 400, aztables.PropertyValueTooLarge,
		"1:The property value exceeds the maximum allowed size (64KB). If the property value is "+
			"a string, it is UTF-16 encoded and the maximum number of characters should be 32K or less.")
	equal(t, "entities", listAll(t, table), []object{})
}

func TestBatchRollsBackWith400WhenItHas101Operations(t *testing.T) {
	table, _ := newTable(t)
	actions := []aztables.TransactionAction{}
	for _, rowKey := range numbered("r", 101) {
		actions = append(actions, add1(t, rowKey, nil))
	}
	refusedBatch(t, submit(table, actions...), 400, aztables.InvalidInput,
		"99:The batch request operation exceeds the maximum 100 changes per change set.")
	equal(t, "entities", listAll(t, table), []object{})
}

func TestBatchRollsBackWith400WhenEntityOccursTwice(t *testing.T) {
	table, _ := newTable(t)
	add(t, table, entity("stored", object{"n": 1}))
	err := submit(table,
		add1(t, "one", nil),
		action(t, aztables.TransactionTypeInsertMerge, entity("stored", object{"n": 2})),
		action(t, aztables.TransactionTypeInsertMerge, entity("stored", object{"n": 3})))
	refusedBatch(t, err, 400, aztables.InvalidDuplicateRow,
		"2:The batch request contains multiple changes with same row key. "+
			"An entity can appear only once in a batch request.")
	equal(t, "table", contents(t, table), map[string]object{"stored": {"n": 1.0}})
}

func TestBatchRollsBackWith400WhenItSpansTwoPartitions(t *testing.T) {
	table, _ := newTable(t)
	other := object{"PartitionKey": "q", "RowKey": "second"}
	err := submit(table,
		add1(t, "first", nil),
		action(t, aztables.TransactionTypeAdd, other))
	refusedBatch(t, err, 400, twoPartitions,
		"1:All commands in a batch must operate on same entity group.")
	equal(t, "entities", listAll(t, table), []object{})
}

func TestBatchLeavesSameRowKeyOfOtherPartitionUnchanged(t *testing.T) {
	table, _ := newTable(t)
	add(t, table, object{"PartitionKey": "q", "RowKey": "r", "n": 1})
	must(t, submit(table, add1(t, "r", object{"n": 2})))
	other, _ := get(t, table, "q", "r")
	own, _ := get(t, table, "p", "r")
	equal(t, "values", []any{other["n"], own["n"]}, []any{1.0, 2.0})
}

func TestBatchFailsWith404WhenTableIsMissing(t *testing.T) {
	missing := newServiceClient(t).NewClient(uniqueTableName())
	err := submit(missing, add1(t, "a", nil), add1(t, "b", nil))
	refusedBatch(t, err, 404, aztables.TableNotFound, "0:The table specified does not exist.")
}

func TestBatchSucceedsWhenBodyHas3MiB(t *testing.T) {
	table, _ := newTable(t)
	long := strings.Repeat("x", 32000)
	actions, expected := []aztables.TransactionAction{}, map[string]object{}
	for _, rowKey := range numbered("r", 100) {
		actions = append(actions, add1(t, rowKey, object{"text": long}))
		expected[rowKey] = object{"text": long}
	}
	must(t, submit(table, actions...))
	if got := contents(t, table); len(got) != 100 || text(got) != text(expected) {
		t.Fatalf("entities: %d (expected: 100 with their whole text)", len(got))
	}
}

func TestBatchRollsBackWith413WhenBodyExceeds4MiB(t *testing.T) {
	table, _ := newTable(t)
	long := strings.Repeat("x", 25000)
	actions := []aztables.TransactionAction{}
	for _, rowKey := range numbered("r", 100) {
		actions = append(actions, add1(t, rowKey, object{"a": long, "b": long}))
	}
	err := submit(table, actions...)
	refused(t, err, http.StatusRequestEntityTooLarge, "RequestBodyTooLarge")
	equal(t, "entities", listAll(t, table), []object{})
}

func TestOnlyOneBatchSucceedsWhenThreeInsertSameEntities(t *testing.T) {
	table, _ := newTable(t)
	writers := []string{"left", "middle", "right"}
	errs := make([]error, len(writers))
	var all sync.WaitGroup
	for i, writer := range writers {
		actions := []aztables.TransactionAction{}
		for _, rowKey := range numbered("r", 20) {
			actions = append(actions, add1(t, rowKey, object{"by": writer}))
		}
		all.Add(1)
		go func() {
			defer all.Done()
			errs[i] = submit(table, actions...)
		}()
	}
	all.Wait()
	winner := ""
	for i, err := range errs {
		if err == nil && winner == "" {
			winner = writers[i]
			continue
		}
		refusedBatch(t, err, 409, aztables.EntityAlreadyExists,
			"0:The specified entity already exists.")
	}
	expected := map[string]object{}
	for _, rowKey := range numbered("r", 20) {
		expected[rowKey] = object{"by": winner}
	}
	equal(t, "table", contents(t, table), expected)
}

func TestSDKRejectsBatchWhenItIsEmpty(t *testing.T) {
	table, _ := newTable(t)
	err := submit(table)
	var refusal *azcore.ResponseError
	if err == nil || errors.As(err, &refusal) {
		t.Fatalf("error: %v (expected: one without an answer of the server)", err)
	}
}
