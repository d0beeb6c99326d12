package clienttests

import (
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/azcore/to"
	"github.com/Azure/azure-sdk-for-go/sdk/data/aztables"
)

func TestErrorCarriesStatusCodeAndRequestID(t *testing.T) {
	table, name := newTable(t)
	add(t, table, stored)
	other := entity("other", nil)
	missing := newServiceClient(t).NewClient(uniqueTableName())
	adding := func(table *aztables.Client, value object) error {
		_, err := table.AddEntity(ctx, encode(t, value), nil)
		return err
	}
	reading := func(table *aztables.Client, rowKey string) error {
		_, err := table.GetEntity(ctx, "p", rowKey, nil)
		return err
	}
	replacing := func(table *aztables.Client, etag azcore.ETag, value object) error {
		_, err := update(t, table, aztables.UpdateModeReplace, etag, value)
		return err
	}
	deleting := func(table *aztables.Client, rowKey string, etag azcore.ETag) error {
		_, err := table.DeleteEntity(ctx, "p", rowKey, &aztables.DeleteEntityOptions{IfMatch: &etag})
		return err
	}
	querying := func(table *aztables.Client, filter string) error {
		_, err := rowKeysOf(table, filter)
		return err
	}
	_, existing := table.CreateTable(ctx, nil)
	_, absent := missing.Delete(ctx, nil)
	large := many(17, strings.Repeat("x", 32000))
	theirs := newServiceClientAs(t, account, wrongKey).NewClient(name)
	for what, one := range map[string]struct {
		status int
		code   aztables.TableErrorCode
		err    error
	}{
		"Create Table fails with 409 when table exists": {
			409, aztables.TableAlreadyExists, existing},
		"Delete Table fails with 404 when table is missing": {
			404, aztables.ResourceNotFound, absent},
		"Get fails with 404 when table is missing": {
			404, aztables.TableNotFound, reading(missing, "r")},
		"Query fails with 404 when table is missing": {
			404, aztables.TableNotFound, querying(missing, "n eq 1")},
		"Insert fails with 404 when table is missing": {
			404, aztables.TableNotFound, adding(missing, stored)},
		"Insert fails with 409 when entity exists": {
			409, aztables.EntityAlreadyExists, adding(table, stored)},
		"Get fails with 404 when entity is missing": {
			404, aztables.ResourceNotFound, reading(table, "other")},
		"Replace fails with 404 when entity is missing": {
			404, aztables.ResourceNotFound, replacing(table, "*", other)},
		"Delete fails with 404 when entity is missing": {
			404, aztables.ResourceNotFound, deleting(table, "other", "*")},
		"Replace fails with 412 when given stale ETag": {
			412, aztables.UpdateConditionNotSatisfied, replacing(table, staleETag, stored)},
		"Delete fails with 412 when given stale ETag": {
			412, aztables.UpdateConditionNotSatisfied, deleting(table, "stored", staleETag)},
		"Replace fails with 400 when If-Match holds no ETag": {
			400, aztables.InvalidInput, replacing(table, "none", stored)},
		"Query fails with 400 when filter is malformed": {
			400, aztables.InvalidInput, querying(table, "n eq eq")},
		"Query fails with 501 when filter calls a function": {
			501, aztables.NotImplemented, querying(table, "startswith(n,'a')")},
		"Insert fails with 400 when RowKey is null": {
			400, aztables.PropertiesNeedValue, adding(table, entity("", object{"RowKey": nil}))},
		"Insert fails with 400 when property name is invalid": {
			400, aztables.PropertyNameInvalid, adding(table, entity("other", object{"a-b": 1}))},
		"Insert fails with 400 when RowKey is too long": {
			400, aztables.PropertyValueTooLarge,
			adding(table, entity(strings.Repeat("x", 1025), nil))},
		"Insert fails with 400 when RowKey has a slash": {
			400, aztables.OutOfRangeInput, adding(table, entity("a/b", nil))},
		"Insert fails with 400 when entity is too large": {
			400, aztables.EntityTooLarge, adding(table, entity("other", large))},
		"Get fails with 403 when account key is wrong": {
			403, authenticationFailed, reading(theirs, "r")},
	} {
		t.Run(what, func(t *testing.T) {
			refused(t, one.err, one.status, one.code)
			var refusal *azcore.ResponseError
			errors.As(one.err, &refusal)
			body, err := io.ReadAll(refusal.RawResponse.Body)
			must(t, err)
			requestID := refusal.RawResponse.Header.Get("x-ms-request-id")
			if requestID == "" || !strings.Contains(string(body), `\nRequestId:`+requestID+`\nTime:`) {
				t.Fatalf("answer: %s (expected: with RequestId %s)", body, requestID)
			}
		})
	}
	equal(t, "table", contents(t, table), map[string]object{"stored": {"n": 1.0}})
}

func TestBatchErrorCarriesCodeAndIndexOfFailedOperation(t *testing.T) {
	table, _ := newTable(t)
	add(t, table, stored)
	upserting := func(rowKey string, properties object) aztables.TransactionAction {
		return action(t, aztables.TransactionTypeInsertReplace, entity(rowKey, properties))
	}
	updating := func(value object, etag azcore.ETag) aztables.TransactionAction {
		one := action(t, aztables.TransactionTypeUpdateReplace, value)
		one.IfMatch = to.Ptr(etag)
		return one
	}
	for what, one := range map[string]struct {
		status    int
		code      aztables.TableErrorCode
		firstLine string
		actions   []aztables.TransactionAction
	}{
		"Batch fails with 409 when inserted entity exists": {
			409, aztables.EntityAlreadyExists, "1:The specified entity already exists.",
			[]aztables.TransactionAction{add1(t, "other", nil), add1(t, "stored", nil)}},
		"Batch fails with 404 when entity is missing": {
			404, aztables.ResourceNotFound, "1:The specified resource does not exist.",
			[]aztables.TransactionAction{
				upserting("stored", nil), updating(entity("other", nil), "*")}},
		"Batch fails with 412 when given stale ETag": {
			412, aztables.UpdateConditionNotSatisfied,
			"1:The update condition specified in the request was not satisfied.",
			[]aztables.TransactionAction{add1(t, "other", nil), updating(stored, staleETag)}},
		"Batch fails with 400 when property name is invalid": {
			400, aztables.PropertyNameInvalid, "2:The property name is invalid.",
			[]aztables.TransactionAction{
				upserting("a", nil), upserting("b", nil), upserting("c", object{"a-b": 1})}},
		"Batch fails with 400 when entity is too large": {
			400, aztables.EntityTooLarge,
			"0:The entity is larger than the maximum allowed size (1MB).",
			[]aztables.TransactionAction{
				upserting("a", many(17, strings.Repeat("x", 32000))), upserting("b", nil)}},
	} {
		t.Run(what, func(t *testing.T) {
			refusedBatch(t, submit(table, one.actions...), one.status, one.code, one.firstLine)
			equal(t, "table", contents(t, table), map[string]object{"stored": {"n": 1.0}})
		})
	}
}

func TestBatchFailsWith403WhenAccountKeyIsWrong(t *testing.T) {
	table, name := newTable(t)
	theirs := newServiceClientAs(t, account, wrongKey).NewClient(name)
	err := submit(theirs, add1(t, "r", nil))
	refused(t, err, http.StatusForbidden, authenticationFailed)
	equal(t, "entities", listAll(t, table), []object{})
}
