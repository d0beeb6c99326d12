package clienttests

import (
	"net"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/azcore/to"
	"github.com/Azure/azure-sdk-for-go/sdk/data/aztables"
)

const (
	authorizationFailure  aztables.TableErrorCode = "AuthorizationFailure"
	permissionMismatch    aztables.TableErrorCode = "AuthorizationPermissionMismatch"
	resourceTypeMismatch  aztables.TableErrorCode = "AuthorizationResourceTypeMismatch"
	serviceMismatch       aztables.TableErrorCode = "AuthorizationServiceMismatch"
	protocolMismatch      aztables.TableErrorCode = "AuthorizationProtocolMismatch"
	sourceAddressMismatch aztables.TableErrorCode = "AuthorizationSourceIPMismatch"
)

var (
	anywhere  = aztables.IPRange{Start: net.IPv4(0, 0, 0, 0), End: net.IPv4(255, 255, 255, 255)}
	elsewhere = aztables.IPRange{Start: net.IPv4(192, 0, 2, 1), End: net.IPv4(192, 0, 2, 254)}
)

// fromNow in whole seconds of UTC, which is what signatures tell.
func fromNow(delta time.Duration) time.Time {
	return time.Now().UTC().Truncate(time.Second).Add(delta)
}

func sharedKey(t *testing.T) *aztables.SharedKeyCredential {
	t.Helper()
	credential, err := aztables.NewSharedKeyCredential(account, key)
	must(t, err)
	return credential
}

// tableToken signs for an hour, if nothing else is said. The SDK signs bounds of keys but leaves
// them out of the token, so they are put in here.
func tableToken(t *testing.T, values aztables.SASSignatureValues) string {
	t.Helper()
	if values.ExpiryTime.IsZero() && values.Identifier == "" {
		values.ExpiryTime = fromNow(time.Hour)
	}
	token, err := values.Sign(sharedKey(t))
	must(t, err)
	for name, value := range map[string]string{
		"spk": values.StartPartitionKey,
		"srk": values.StartRowKey,
		"epk": values.EndPartitionKey,
		"erk": values.EndRowKey,
	} {
		if value != "" {
			token += "&" + name + "=" + url.QueryEscape(value)
		}
	}
	return token
}

func accountToken(t *testing.T, values aztables.AccountSASSignatureValues) string {
	t.Helper()
	if values.ExpiryTime.IsZero() {
		values.ExpiryTime = fromNow(time.Hour)
	}
	if values.Services == "" {
		values.Services = "t"
	}
	parameters, err := values.Sign(sharedKey(t))
	must(t, err)
	return parameters.Encode()
}

// only signs for these types of resources and letters.
func only(t *testing.T, types, permissions string) string {
	t.Helper()
	return accountToken(t, aztables.AccountSASSignatureValues{
		ResourceTypes: types, Permissions: permissions,
	})
}

// tableWith is a client that has a token and no key.
func tableWith(t *testing.T, token, name string) *aztables.Client {
	t.Helper()
	address := strings.TrimSuffix(endpoint, "/") + "/" + name + "?" + token
	table, err := aztables.NewClientWithNoCredential(address, clientOptions())
	must(t, err)
	return table
}

func serviceWith(t *testing.T, token string) *aztables.ServiceClient {
	t.Helper()
	return serviceAtWith(t, endpoint, token)
}

func serviceAtWith(t *testing.T, endpoint, token string) *aztables.ServiceClient {
	t.Helper()
	address := strings.TrimSuffix(endpoint, "/") + "/?" + token
	service, err := aztables.NewServiceClientWithNoCredential(address, clientOptions())
	must(t, err)
	return service
}

// operation is one thing that can be done to a table that holds the entity "stored" with n=1.
type operation struct {
	name string
	// letters that a signature must permit for it.
	letters string
	run     func(t *testing.T, table *aztables.Client) error
	// batched is the same as part of a batch, if it can be.
	batched func(t *testing.T) aztables.TransactionAction
}

var (
	stored  = entity("stored", object{"n": 1.0})
	changed = entity("stored", object{"n": 2.0})
)

func operations() []operation {
	anyETag := to.Ptr(azcore.ETagAny)
	as := func(kind aztables.TransactionType, value object, etag *azcore.ETag) func(
		*testing.T,
	) aztables.TransactionAction {
		return func(t *testing.T) aztables.TransactionAction {
			one := action(t, kind, value)
			one.IfMatch = etag
			return one
		}
	}
	updating := func(mode aztables.UpdateMode) func(*testing.T, *aztables.Client) error {
		return func(t *testing.T, table *aztables.Client) error {
			_, err := update(t, table, mode, azcore.ETagAny, changed)
			return err
		}
	}
	upserting := func(mode aztables.UpdateMode) func(*testing.T, *aztables.Client) error {
		return func(t *testing.T, table *aztables.Client) error {
			_, err := upsert(t, table, mode, entity("new", nil))
			return err
		}
	}
	return []operation{
		{"read", "r", func(_ *testing.T, table *aztables.Client) error {
			_, err := table.GetEntity(ctx, "p", "stored", nil)
			return err
		}, nil},
		{"query", "r", func(_ *testing.T, table *aztables.Client) error {
			_, err := rowKeysOf(table, "n ge 0")
			return err
		}, nil},
		{"insert", "a", func(t *testing.T, table *aztables.Client) error {
			_, err := table.AddEntity(ctx, encode(t, entity("new", nil)), nil)
			return err
		}, as(aztables.TransactionTypeAdd, entity("new", nil), nil)},
		{"merge", "u", updating(aztables.UpdateModeMerge),
			as(aztables.TransactionTypeUpdateMerge, changed, anyETag)},
		{"replace", "u", updating(aztables.UpdateModeReplace),
			as(aztables.TransactionTypeUpdateReplace, changed, anyETag)},
		{"insert or merge", "au", upserting(aztables.UpdateModeMerge),
			as(aztables.TransactionTypeInsertMerge, entity("new", nil), nil)},
		{"insert or replace", "au", upserting(aztables.UpdateModeReplace),
			as(aztables.TransactionTypeInsertReplace, entity("new", nil), nil)},
		{"delete", "d", func(_ *testing.T, table *aztables.Client) error {
			_, err := table.DeleteEntity(ctx, "p", "stored", nil)
			return err
		}, as(aztables.TransactionTypeDelete, entity("stored", nil), anyETag)},
	}
}

func permits(permissions, letters string) bool {
	for _, letter := range letters {
		if !strings.ContainsRune(permissions, letter) {
			return false
		}
	}
	return true
}

// putBack leaves the table as every operation expects it.
func putBack(t *testing.T, owner *aztables.Client) {
	t.Helper()
	_, err := upsert(t, owner, aztables.UpdateModeReplace, stored)
	must(t, err)
	if _, err = owner.DeleteEntity(ctx, "p", "new", nil); err != nil {
		refused(t, err, 404, aztables.ResourceNotFound)
	}
}

// heldTo requires that the holder of the permissions can do what they cover, alone and in a batch,
// and no more.
func heldTo(t *testing.T, permissions string, holder, owner *aztables.Client) {
	t.Helper()
	untouched := func() {
		t.Helper()
		equal(t, "table", contents(t, owner), map[string]object{"stored": {"n": 1.0}})
	}
	for _, one := range operations() {
		putBack(t, owner)
		err := one.run(t, holder)
		if permits(permissions, one.letters) {
			must(t, err)
		} else {
			refused(t, err, 403, permissionMismatch)
			untouched()
		}

		if one.batched == nil {
			continue
		}
		putBack(t, owner)
		err = submit(holder, one.batched(t))
		if permits(permissions, one.letters) {
			must(t, err)
		} else {
			refusedInBatch(t, err, "0:", permissionMismatch)
			untouched()
		}
	}
}

// refusedInBatch requires that a batch was refused for what one of its operations may not do. The
// prefix is the index of the operation and a colon.
func refusedInBatch(t *testing.T, err error, prefix string, code aztables.TableErrorCode) {
	t.Helper()
	text := "This request is not authorized to perform this operation."
	if code == permissionMismatch {
		text = "This request is not authorized to perform this operation using this permission."
	}
	refusedBatch(t, err, 403, code, prefix+text)
}
