// Package clienttests drives a running Parterre server through the unmodified aztables module.
package clienttests

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/url"
	"os"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/azcore/policy"
	"github.com/Azure/azure-sdk-for-go/sdk/data/aztables"
)

var (
	endpoint = fromEnvironment("PARTERRE_TABLE_ENDPOINT", "http://127.0.0.1:10002/devstoreaccount1")
	account  = fromEnvironment("PARTERRE_ACCOUNT", "devstoreaccount1")
	key      = fromEnvironment("PARTERRE_KEY",
		"Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==")

	ctx = context.Background()
)

// The SDK names only some of the codes that these tests expect.
const (
	authenticationFailed aztables.TableErrorCode = "AuthenticationFailed"
	invalidResourceName  aztables.TableErrorCode = "InvalidResourceName"
	twoPartitions        aztables.TableErrorCode = "CommandsInBatchActOnDifferentPartitions"
)

func fromEnvironment(name, otherwise string) string {
	if value := os.Getenv(name); value != "" {
		return value
	}
	return otherwise
}

// object is JSON as it is sent or as it came back: the SDK's Add, Update and Upsert take its bytes.
type object = map[string]any

func newServiceClient(t *testing.T, policies ...policy.Policy) *aztables.ServiceClient {
	t.Helper()
	return newServiceClientAs(t, account, key, policies...)
}

func newServiceClientAs(
	t *testing.T, account, key string, policies ...policy.Policy,
) *aztables.ServiceClient {
	t.Helper()
	return newServiceClientAt(t, endpoint, account, key, policies...)
}

func newServiceClientAt(
	t *testing.T, endpoint, account, key string, policies ...policy.Policy,
) *aztables.ServiceClient {
	t.Helper()
	credential, err := aztables.NewSharedKeyCredential(account, key)
	must(t, err)
	options := clientOptions()
	options.PerRetryPolicies = policies
	service, err := aztables.NewServiceClientWithSharedKey(endpoint, credential, options)
	must(t, err)
	return service
}

func clientOptions() *aztables.ClientOptions {
	options := &aztables.ClientOptions{}
	// Few and short: a server that is down, or answers 500, shall fail the test, not stall the run.
	options.Retry = policy.RetryOptions{
		MaxRetries: 2, RetryDelay: 50 * time.Millisecond, MaxRetryDelay: 100 * time.Millisecond,
	}
	return options
}

// uniqueTableName names a table that no other test, suite or run uses.
func uniqueTableName() string {
	random := make([]byte, 10)
	if _, err := rand.Read(random); err != nil {
		panic(err)
	}
	return "go" + hex.EncodeToString(random)
}

// newTable creates a table that exists while the test runs and not longer.
func newTable(t *testing.T) (*aztables.Client, string) {
	t.Helper()
	name := uniqueTableName()
	return newTableNamed(t, name), name
}

func newTableNamed(t *testing.T, name string) *aztables.Client {
	t.Helper()
	table := newServiceClient(t).NewClient(name)
	_, err := table.CreateTable(ctx, nil)
	must(t, err)
	t.Cleanup(func() {
		_, err := table.Delete(ctx, nil)
		if err != nil && codeOf(err) != aztables.ResourceNotFound {
			t.Errorf("deleting the table of this test: %v", err)
		}
	})
	return table
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func equal(t *testing.T, what string, got, want any) {
	t.Helper()
	if !reflect.DeepEqual(got, want) {
		t.Fatalf("%s: %s (expected: %s)", what, text(got), text(want))
	}
}

func text(value any) string {
	if encoded, err := json.Marshal(value); err == nil {
		return string(encoded)
	}
	return "a value that JSON cannot show"
}

func codeOf(err error) aztables.TableErrorCode {
	var refusal *azcore.ResponseError
	if errors.As(err, &refusal) {
		return aztables.TableErrorCode(refusal.ErrorCode)
	}
	return ""
}

// refused requires that the server refused a call with exactly this status and code.
func refused(t *testing.T, err error, status int, code aztables.TableErrorCode) {
	t.Helper()
	var refusal *azcore.ResponseError
	if !errors.As(err, &refusal) {
		t.Fatalf("error: %v (expected: %d %s)", err, status, code)
	}
	if refusal.StatusCode != status || refusal.ErrorCode != string(code) {
		t.Fatalf("answer: %d %s (expected: %d %s)\n%v",
			refusal.StatusCode, refusal.ErrorCode, status, code, err)
	}
}

var (
	statusInPart = regexp.MustCompile(`(?m)^HTTP/1\.1 (\d{3}) `)
	errorInPart  = regexp.MustCompile(`(?m)^\{"odata\.error":.*\}\s*$`)
)

// refusedBatch requires that a batch was refused by one inner answer with this status, code and
// first line of text. The SDK passes on the outer answer, which is always 202.
func refusedBatch(
	t *testing.T, err error, status int, code aztables.TableErrorCode, firstLine string,
) {
	t.Helper()
	var refusal *azcore.ResponseError
	if !errors.As(err, &refusal) {
		t.Fatalf("error: %v (expected: %d %s in a batch)", err, status, code)
	}
	equal(t, "outer status", refusal.StatusCode, http.StatusAccepted)
	body, err := io.ReadAll(refusal.RawResponse.Body)
	must(t, err)
	parts := statusInPart.FindAllSubmatch(body, -1)
	if len(parts) != 1 {
		t.Fatalf("inner answers: %d (expected: 1)\n%s", len(parts), body)
	}
	var inner struct {
		Error struct {
			Code    string
			Message struct{ Value string }
		} `json:"odata.error"`
	}
	must(t, json.Unmarshal(errorInPart.Find(body), &inner))
	line, _, _ := strings.Cut(inner.Error.Message.Value, "\n")
	got := []string{string(parts[0][1]), inner.Error.Code, line}
	equal(t, "inner answer", got, []string{strconv.Itoa(status), string(code), firstLine})
}

func encode(t *testing.T, value any) []byte {
	t.Helper()
	encoded, err := json.Marshal(value)
	must(t, err)
	return encoded
}

// with answers the keys p and r together with the given properties.
func with(properties object) object {
	return entity("r", properties)
}

func entity(rowKey string, properties object) object {
	whole := object{"PartitionKey": "p", "RowKey": rowKey}
	for name, value := range properties {
		whole[name] = value
	}
	return whole
}

func add(t *testing.T, table *aztables.Client, value any) azcore.ETag {
	t.Helper()
	answer, err := table.AddEntity(ctx, encode(t, value), nil)
	must(t, err)
	return answer.ETag
}

func update(
	t *testing.T, table *aztables.Client, mode aztables.UpdateMode, etag azcore.ETag, value any,
) (azcore.ETag, error) {
	t.Helper()
	options := &aztables.UpdateEntityOptions{UpdateMode: mode, IfMatch: &etag}
	answer, err := table.UpdateEntity(ctx, encode(t, value), options)
	return answer.ETag, err
}

func upsert(
	t *testing.T, table *aztables.Client, mode aztables.UpdateMode, value any,
) (azcore.ETag, error) {
	t.Helper()
	options := &aztables.UpsertEntityOptions{UpdateMode: mode}
	answer, err := table.UpsertEntity(ctx, encode(t, value), options)
	return answer.ETag, err
}

// get reads one entity as JSON; the ETag is that of the answer's header.
func get(t *testing.T, table *aztables.Client, partitionKey, rowKey string) (object, azcore.ETag) {
	t.Helper()
	answer, err := table.GetEntity(ctx, partitionKey, rowKey, nil)
	must(t, err)
	return decode(t, answer.Value), answer.ETag
}

func decode(t *testing.T, value []byte) object {
	t.Helper()
	var decoded object
	must(t, json.Unmarshal(value, &decoded))
	return decoded
}

// propertiesOf answers an entity's own properties, without annotations.
func propertiesOf(whole object) object {
	properties := object{}
	for name, value := range whole {
		switch {
		case name == "PartitionKey", name == "RowKey", name == "Timestamp":
		case strings.HasPrefix(name, "odata."), strings.HasSuffix(name, "@odata.type"):
		default:
			properties[name] = value
		}
	}
	return properties
}

// list reads a query to its end.
func list(table *aztables.Client, options aztables.ListEntitiesOptions) ([]object, error) {
	found := []object{}
	for pager := table.NewListEntitiesPager(&options); pager.More(); {
		page, err := pager.NextPage(ctx)
		if err != nil {
			return nil, err
		}
		for _, value := range page.Entities {
			var one object
			if err := json.Unmarshal(value, &one); err != nil {
				return nil, err
			}
			found = append(found, one)
		}
	}
	return found, nil
}

func listAll(t *testing.T, table *aztables.Client) []object {
	t.Helper()
	found, err := list(table, aztables.ListEntitiesOptions{})
	must(t, err)
	return found
}

// contents answers what the table holds: row key to properties.
func contents(t *testing.T, table *aztables.Client) map[string]object {
	t.Helper()
	held := map[string]object{}
	for _, one := range listAll(t, table) {
		held[one["RowKey"].(string)] = propertiesOf(one)
	}
	return held
}

func rowKeysOf(table *aztables.Client, filter string) ([]string, error) {
	found, err := list(table, aztables.ListEntitiesOptions{Filter: &filter})
	rowKeys := make([]string, len(found))
	for i, one := range found {
		rowKeys[i] = one["RowKey"].(string)
	}
	return rowKeys, err
}

// addAll inserts entities of one partition, a hundred to a batch.
func addAll(t *testing.T, table *aztables.Client, entities []object) {
	t.Helper()
	for len(entities) > 0 {
		count := min(100, len(entities))
		actions := make([]aztables.TransactionAction, count)
		for i, one := range entities[:count] {
			actions[i] = action(t, aztables.TransactionTypeAdd, one)
		}
		_, err := table.SubmitTransaction(ctx, actions, nil)
		must(t, err)
		entities = entities[count:]
	}
}

func action(t *testing.T, kind aztables.TransactionType, value any) aztables.TransactionAction {
	t.Helper()
	return aztables.TransactionAction{ActionType: kind, Entity: encode(t, value)}
}

// ticksOf answers the time that an ETag holds, in ticks of 100 ns, so that ETags can be ordered.
func ticksOf(t *testing.T, etag azcore.ETag) int64 {
	t.Helper()
	decoded, err := url.PathUnescape(string(etag))
	must(t, err)
	inner, hasStart := strings.CutPrefix(decoded, `W/"datetime'`)
	inner, hasEnd := strings.CutSuffix(inner, `'"`)
	instant, err := time.Parse(time.RFC3339Nano, inner)
	if !hasStart || !hasEnd || err != nil {
		t.Fatalf(`ETag: %s (expected: W/"datetime'...'")`, etag)
	}
	return instant.Unix()*10_000_000 + int64(instant.Nanosecond()/100)
}

// lastBody keeps the text of the last answer as the server sent it, before the SDK parses it.
type lastBody struct{ text string }

func (l *lastBody) Do(request *policy.Request) (*http.Response, error) {
	response, err := request.Next()
	if err != nil {
		return response, err
	}
	body, err := io.ReadAll(response.Body)
	if err != nil {
		return response, err
	}
	l.text = string(body)
	response.Body = io.NopCloser(strings.NewReader(l.text))
	return response, nil
}
