package io.parterre.client;

import static com.azure.data.tables.models.TableEntityUpdateMode.REPLACE;
import static io.parterre.client.EntityOperation.stored;
import static io.parterre.client.Refusals.assertBatchRefused;
import static io.parterre.client.Refusals.assertListRefused;
import static io.parterre.client.Refusals.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;

import com.azure.core.credential.AzureSasCredential;
import com.azure.data.tables.TableClient;
import com.azure.data.tables.TableServiceClient;
import com.azure.data.tables.models.TableEntity;
import com.azure.data.tables.models.TableErrorCode;
import com.azure.data.tables.models.TableTransactionAction;
import com.azure.data.tables.sas.TableAccountSasPermission;
import com.azure.data.tables.sas.TableAccountSasResourceType;
import com.azure.data.tables.sas.TableAccountSasService;
import com.azure.data.tables.sas.TableAccountSasSignatureValues;
import com.azure.data.tables.sas.TableSasIpRange;
import com.azure.data.tables.sas.TableSasPermission;
import com.azure.data.tables.sas.TableSasSignatureValues;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;

/** Clients that have a signature and no key, and what they are held to. */
final class Signatures {
    static final TableErrorCode UNAUTHENTICATED = TableErrorCode.fromString("AuthenticationFailed");
    static final TableErrorCode FAILURE = TableErrorCode.fromString("AuthorizationFailure");
    static final TableErrorCode PERMISSION =
            TableErrorCode.fromString("AuthorizationPermissionMismatch");
    static final TableErrorCode RESOURCE_TYPE =
            TableErrorCode.fromString("AuthorizationResourceTypeMismatch");
    static final TableErrorCode SERVICE = TableErrorCode.fromString("AuthorizationServiceMismatch");
    static final TableErrorCode PROTOCOL =
            TableErrorCode.fromString("AuthorizationProtocolMismatch");
    static final TableErrorCode ADDRESS =
            TableErrorCode.fromString("AuthorizationSourceIPMismatch");

    static final TableSasIpRange ANYWHERE = TableSasIpRange.parse("0.0.0.0-255.255.255.255");
    static final TableSasIpRange ELSEWHERE = TableSasIpRange.parse("192.0.2.1-192.0.2.254");

    private Signatures() {}

    /** In whole seconds, which is what signatures tell. */
    static OffsetDateTime fromNow(Duration time) {
        return OffsetDateTime.now(ZoneOffset.UTC).truncatedTo(ChronoUnit.SECONDS).plus(time);
    }

    /** For an hour, if nothing else is said. */
    static TableSasSignatureValues permitting(String letters) {
        return new TableSasSignatureValues(
                fromNow(Duration.ofHours(1)), TableSasPermission.parse(letters));
    }

    static TableAccountSasSignatureValues permitting(
            String services, String resourceTypes, String letters) {
        return permitting(services, resourceTypes, letters, fromNow(Duration.ofHours(1)));
    }

    static TableAccountSasSignatureValues permitting(
            String services, String resourceTypes, String letters, OffsetDateTime expiry) {
        return new TableAccountSasSignatureValues(
                expiry,
                TableAccountSasPermission.parse(letters),
                TableAccountSasService.parse(services),
                TableAccountSasResourceType.parse(resourceTypes));
    }

    static TableClient tableWith(String token, String name) {
        return serviceWith(token).getTableClient(name);
    }

    static TableServiceClient serviceWith(String token) {
        return Sdk.builder().credential(new AzureSasCredential(token)).buildClient();
    }

    static List<Object> numbersIn(TableClient table) {
        return Sdk.query(table, null).stream().map(entity -> entity.getProperty("N")).toList();
    }

    /** The holder can do what the letters permit, alone and in a batch, and no more. */
    static void assertHeldTo(String letters, TableClient holder, TableClient owner) {
        for (EntityOperation operation : EntityOperation.values()) {
            putBack(owner);
            if (operation.isPermittedBy(letters)) {
                operation.run(holder);
            } else if (operation == EntityOperation.QUERY) {
                assertListRefused(403, PERMISSION, () -> operation.run(holder));
            } else {
                assertRefused(403, PERMISSION, () -> operation.run(holder));
                assertThat(numbersIn(owner)).containsExactly(1);
            }

            Optional<TableTransactionAction> action = operation.action();
            if (action.isEmpty()) {
                continue;
            }
            putBack(owner);
            List<TableTransactionAction> batch = List.of(action.get());
            if (operation.isPermittedBy(letters)) {
                holder.submitTransaction(batch);
            } else {
                assertBatchRefused(0, PERMISSION, () -> holder.submitTransaction(batch));
                assertThat(numbersIn(owner)).containsExactly(1);
            }
        }
    }

    /** The table as every operation expects it. */
    private static void putBack(TableClient owner) {
        owner.upsertEntityWithResponse(stored(), REPLACE, null, null);
        owner.deleteEntity(new TableEntity("p", "new"));
    }
}
