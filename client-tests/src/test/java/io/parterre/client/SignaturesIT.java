package io.parterre.client;

import static com.azure.data.tables.models.TableEntityUpdateMode.MERGE;
import static com.azure.data.tables.models.TableEntityUpdateMode.REPLACE;
import static com.azure.data.tables.models.TableTransactionActionType.CREATE;
import static com.azure.data.tables.models.TableTransactionActionType.DELETE;
import static com.azure.data.tables.models.TableTransactionActionType.UPSERT_REPLACE;
import static io.parterre.client.EntityOperation.stored;
import static io.parterre.client.Refusals.assertBatchRefused;
import static io.parterre.client.Refusals.assertListRefused;
import static io.parterre.client.Refusals.assertRefused;
import static io.parterre.client.Refusals.assertXmlRefused;
import static io.parterre.client.Signatures.ADDRESS;
import static io.parterre.client.Signatures.ANYWHERE;
import static io.parterre.client.Signatures.ELSEWHERE;
import static io.parterre.client.Signatures.FAILURE;
import static io.parterre.client.Signatures.PERMISSION;
import static io.parterre.client.Signatures.PROTOCOL;
import static io.parterre.client.Signatures.UNAUTHENTICATED;
import static io.parterre.client.Signatures.assertHeldTo;
import static io.parterre.client.Signatures.fromNow;
import static io.parterre.client.Signatures.numbersIn;
import static io.parterre.client.Signatures.permitting;
import static io.parterre.client.Signatures.serviceWith;
import static io.parterre.client.Signatures.tableWith;
import static org.assertj.core.api.Assertions.assertThat;

import com.azure.core.http.rest.PagedResponse;
import com.azure.data.tables.TableClient;
import com.azure.data.tables.TableClientBuilder;
import com.azure.data.tables.TableServiceClient;
import com.azure.data.tables.models.ListEntitiesOptions;
import com.azure.data.tables.models.TableAccessPolicy;
import com.azure.data.tables.models.TableEntity;
import com.azure.data.tables.models.TableErrorCode;
import com.azure.data.tables.models.TableServiceProperties;
import com.azure.data.tables.models.TableSignedIdentifier;
import com.azure.data.tables.models.TableTransactionAction;
import com.azure.data.tables.models.TableTransactionActionType;
import com.azure.data.tables.sas.TableSasIpRange;
import com.azure.data.tables.sas.TableSasPermission;
import com.azure.data.tables.sas.TableSasProtocol;
import com.azure.data.tables.sas.TableSasSignatureValues;
import io.parterre.chaos.client.TestedService;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a signature for one table lets its holder do: letters, times, keys, policies. */
class SignaturesIT {
    private static final Duration HOUR = Duration.ofHours(1);
    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final List<Key> KEYS =
            List.of(
                    new Key("a", "1"),
                    new Key("a", "5"),
                    new Key("a b&c=d+e", "ü'ä"),
                    new Key("b", "0"),
                    new Key("b", "9"),
                    new Key("c", "2"),
                    new Key("c", "20"),
                    new Key("東", "\uD83E\uDD84"));

    private record Key(String partitionKey, String rowKey) {
        TableEntity entity() {
            return new TableEntity(partitionKey, rowKey);
        }
    }

    private final TableClient table = Sdk.freshTable();
    private final String name = table.getTableName();

    @ParameterizedTest
    @ValueSource(strings = {"r", "a", "u", "d", "au", "raud"})
    void tableSasPermitsOnlyOperationsOfItsLetters(String letters) {
        assertHeldTo(letters, holder(permitting(letters)), table);
    }

    @Test
    void batchErrorNamesOperation_whenTableSasForbidsIt() {
        assertBatchRefused(
                1,
                PERMISSION,
                () ->
                        holder(permitting("a"))
                                .submitTransaction(
                                        List.of(
                                                action(CREATE, new TableEntity("p", "new")),
                                                action(DELETE, new TableEntity("p", "other")))));
        assertThat(Sdk.query(table, null)).isEmpty();
    }

    @Test
    void tableSasGrantsAccess_withTokenOrConnectionString() {
        table.createEntity(stored());
        String token = table.generateSas(permitting("raud"));
        String endpoint = TestedService.get().endpoint().toString();

        List<TableClient> holders =
                List.of(
                        new TableClientBuilder()
                                .endpoint(endpoint)
                                .sasToken(token)
                                .tableName(name)
                                .buildClient(),
                        new TableClientBuilder()
                                .connectionString(
                                        "TableEndpoint="
                                                + endpoint
                                                + ";SharedAccessSignature="
                                                + token)
                                .tableName(name)
                                .buildClient());
        for (TableClient holder : holders) {
            assertThat(Sdk.query(holder, "N eq 1 and RowKey ge 's'")).hasSize(1);
            holder.submitTransaction(List.of(action(UPSERT_REPLACE, stored())));
        }
    }

    @Test
    void tableSasIsRejected_beforeStartOrAfterExpiry() {
        table.createEntity(stored());
        for (TableSasSignatureValues values :
                List.of(
                        permitting("r").setExpiryTime(fromNow(MINUTE.negated())),
                        permitting("r").setStartTime(fromNow(MINUTE)),
                        permitting("r").setStartTime(fromNow(HOUR.multipliedBy(2))))) {
            assertRefused(403, UNAUTHENTICATED, () -> holder(values).getEntity("p", "stored"));
        }
        OffsetDateTime elsewhereOnEarth =
                fromNow(HOUR.negated()).withOffsetSameInstant(ZoneOffset.ofHours(9));
        assertThat(numbersIn(holder(permitting("r").setStartTime(elsewhereOnEarth))))
                .containsExactly(1);
    }

    @Test
    void queryReturnsOnlyKeysInSasRange() {
        insertKeys();

        assertThat(seen(from(permitting("r"), new Key("b", "")))).isEqualTo(KEYS.subList(3, 8));
        assertThat(seen(to(permitting("r"), KEYS.get(3)))).isEqualTo(KEYS.subList(0, 4));
        assertThat(seen(to(from(permitting("r"), new Key("a", "5")), new Key("c", "2"))))
                .isEqualTo(KEYS.subList(1, 6));
        assertThat(seen(from(permitting("r"), KEYS.get(2)))).isEqualTo(KEYS.subList(2, 8));
        assertThat(seen(to(permitting("r"), KEYS.get(2)))).isEqualTo(KEYS.subList(0, 3));
        assertThat(seen(to(from(permitting("r"), KEYS.get(7)), KEYS.get(7))))
                .isEqualTo(KEYS.subList(7, 8));
        assertThat(seen(to(from(permitting("r"), new Key("c", "0")), new Key("a", "9")))).isEmpty();
    }

    @Test
    void filtersAndPagesStayInsideSasKeyRange() {
        insertKeys();
        TableSasSignatureValues bounded =
                to(from(permitting("r"), new Key("a", "5")), new Key("c", "2"));

        assertThat(Sdk.query(holder(bounded), "PartitionKey eq 'a' and RowKey eq '1'")).isEmpty();

        List<TableEntity> read = new ArrayList<>();
        String token = null;
        do {
            PagedResponse<TableEntity> page = page(holder(bounded), 2, token);
            assertThat(page.getValue()).hasSizeLessThanOrEqualTo(2);
            read.addAll(page.getValue());
            token = page.getContinuationToken();
        } while (token != null);
        assertThat(keysOf(read)).isEqualTo(KEYS.subList(1, 6));

        // A place outside, as only somebody with other rights can have been told.
        String beyond = page(table, 6, null).getContinuationToken();
        assertThat(page(holder(bounded), 2, beyond).getValue()).isEmpty();
    }

    @Test
    void pointReadsAndWritesAreRejected_forKeysOutsideSasRange() {
        insertKeys();
        TableClient holder =
                holder(to(from(permitting("raud"), new Key("a", "5")), new Key("c", "2")));
        for (Key inside : KEYS.subList(1, 6)) {
            holder.getEntity(inside.partitionKey(), inside.rowKey());
            holder.updateEntity(inside.entity().addProperty("N", 1));
        }
        for (Key outside :
                List.of(
                        KEYS.get(0),
                        KEYS.get(6),
                        KEYS.get(7),
                        new Key("a", "4"),
                        new Key("c", "3"))) {
            assertRefused(
                    404,
                    TableErrorCode.RESOURCE_NOT_FOUND,
                    () -> holder.getEntity(outside.partitionKey(), outside.rowKey()));
            assertRefused(403, FAILURE, () -> holder.createEntity(outside.entity()));
            assertRefused(403, FAILURE, () -> holder.updateEntity(outside.entity(), MERGE));
            assertRefused(
                    403,
                    FAILURE,
                    () -> holder.upsertEntityWithResponse(outside.entity(), REPLACE, null, null));
            assertRefused(
                    403,
                    FAILURE,
                    () -> holder.deleteEntity(outside.partitionKey(), outside.rowKey()));
        }

        holder.submitTransaction(
                List.of(
                        action(CREATE, new TableEntity("a", "6")),
                        action(DELETE, new TableEntity("a", "5"))));
        assertBatchRefused(
                2,
                FAILURE,
                () ->
                        holder.submitTransaction(
                                List.of(
                                        action(CREATE, new TableEntity("a", "7")),
                                        action(DELETE, new TableEntity("a", "6")),
                                        action(CREATE, new TableEntity("a", "4")))));

        List<Key> left = new ArrayList<>(KEYS);
        left.set(1, new Key("a", "6"));
        assertThat(keysOf(Sdk.query(table, null))).isEqualTo(left);
        assertThat(numbersIn(table)).containsExactly(null, null, 1, 1, 1, 1, null, null);
    }

    @Test
    void tableSasIgnoresTableNameCase() {
        table.createEntity(stored());
        TableClient loud = Sdk.service().getTableClient(name.toUpperCase(Locale.ROOT));

        for (TableClient signed : List.of(table, loud)) {
            String token = signed.generateSas(permitting("raud"));
            for (TableClient asked : List.of(table, loud)) {
                TableClient holder = tableWith(token, asked.getTableName());
                holder.submitTransaction(List.of(action(UPSERT_REPLACE, stored())));
                assertThat(numbersIn(holder)).containsExactly(1);
            }
        }
    }

    @Test
    void tableSasIsRejected_forAnotherTable() {
        TableClient other = Sdk.freshTable();
        other.createEntity(stored());
        TableClient holder = tableWith(table.generateSas(permitting("raud")), other.getTableName());

        assertRefused(403, FAILURE, () -> holder.getEntity("p", "stored"));
        assertListRefused(403, FAILURE, () -> Sdk.query(holder, null));
        assertBatchRefused(
                0,
                FAILURE,
                () ->
                        holder.submitTransaction(
                                List.of(action(CREATE, new TableEntity("p", "new")))));
        assertThat(numbersIn(other)).containsExactly(1);
    }

    @Test
    void tableSasIsRejected_whenTampered() {
        String token = table.generateSas(from(permitting("r"), new Key("p", "0")));
        for (String touched :
                List.of(
                        token.replace("sp=r", "sp=raud"),
                        token.replace("spk=p", "spk=o"),
                        token.replace("&spk=p", "").replace("&srk=0", ""),
                        token.replace("tn=" + name, "tn=" + Sdk.freshName()),
                        token.replaceFirst("sv=[-0-9]+", "sv=2018-11-09"),
                        token + "&si=policy")) {
            assertThat(touched).isNotEqualTo(token);
            assertListRefused(
                    403, UNAUTHENTICATED, () -> Sdk.query(tableWith(touched, name), null));
        }
    }

    @Test
    void tableSasIsRejected_whenIpOrProtocolDoesNotMatch() {
        TableSasSignatureValues values = permitting("r");
        values.setSasIpRange(ANYWHERE).setProtocol(TableSasProtocol.HTTPS_HTTP);
        assertThat(seen(values)).isEmpty();

        for (TableSasIpRange range : List.of(ELSEWHERE, TableSasIpRange.parse("192.0.2.1"))) {
            assertListRefused(403, ADDRESS, () -> seen(permitting("r").setSasIpRange(range)));
        }
        TableSasSignatureValues secure = permitting("r").setProtocol(TableSasProtocol.HTTPS_ONLY);
        if (TestedService.get().endpoint().getScheme().equals("https")) {
            assertThat(seen(secure)).isEmpty();
        } else {
            assertListRefused(403, PROTOCOL, () -> seen(secure));
        }
    }

    @Test
    void tableSasIsRejected_forTablePolicyOrServiceOperations() {
        String token = table.generateSas(permitting("raud"));
        TableClient holder = tableWith(token, name);
        TableServiceClient service = serviceWith(token);

        assertRefused(403, FAILURE, holder::createTable);
        assertRefused(403, FAILURE, holder::deleteTable);
        assertListRefused(403, FAILURE, () -> service.listTables().stream().count());
        assertXmlRefused(403, FAILURE, holder::getAccessPolicies);
        assertXmlRefused(403, FAILURE, () -> holder.setAccessPolicies(List.of()));
        assertXmlRefused(403, FAILURE, service::getProperties);
        assertXmlRefused(403, FAILURE, () -> service.setProperties(new TableServiceProperties()));
        assertThat(Sdk.query(table, null)).isEmpty();
    }

    @Test
    void tableSasFollowsItsStoredPolicy_whenPolicyChanges() {
        OffsetDateTime earlier = fromNow(HOUR.negated());
        OffsetDateTime later = fromNow(HOUR);
        TableClient holder = holder(new TableSasSignatureValues("desk"));
        assertListRefused(403, UNAUTHENTICATED, () -> Sdk.query(holder, null));

        setPolicy("desk", new TableAccessPolicy().setPermissions("r").setExpiresOn(later));
        assertThat(Sdk.query(holder, null)).isEmpty();
        assertRefused(403, PERMISSION, () -> holder.createEntity(stored()));

        setPolicy(
                "desk",
                new TableAccessPolicy()
                        .setPermissions("ra")
                        .setStartsOn(earlier)
                        .setExpiresOn(later));
        holder.createEntity(stored());
        assertThat(numbersIn(holder)).containsExactly(1);

        for (TableAccessPolicy policy :
                List.of(
                        new TableAccessPolicy().setPermissions("r").setExpiresOn(earlier),
                        new TableAccessPolicy()
                                .setPermissions("r")
                                .setStartsOn(later)
                                .setExpiresOn(later),
                        new TableAccessPolicy().setPermissions("r"),
                        new TableAccessPolicy().setExpiresOn(later))) {
            setPolicy("desk", policy);
            assertRefused(403, UNAUTHENTICATED, () -> holder.getEntity("p", "stored"));
        }

        TableAccessPolicy readers = new TableAccessPolicy().setPermissions("r").setExpiresOn(later);
        setPolicy("desk", readers);
        assertThat(numbersIn(holder)).containsExactly(1);
        setPolicy("other", readers);
        assertRefused(403, UNAUTHENTICATED, () -> holder.getEntity("p", "stored"));
        table.setAccessPolicies(List.of());
        assertRefused(403, UNAUTHENTICATED, () -> holder.getEntity("p", "stored"));
    }

    @Test
    void tableSasMayCompleteButNotRepeatItsPolicy() {
        TableSasPermission reading = TableSasPermission.parse("r");
        OffsetDateTime later = fromNow(HOUR);

        setPolicy("half", new TableAccessPolicy().setPermissions("r"));
        assertThat(seen(new TableSasSignatureValues("half").setExpiryTime(later))).isEmpty();
        setPolicy("half", new TableAccessPolicy().setExpiresOn(later));
        assertThat(seen(new TableSasSignatureValues("half").setPermissions(reading))).isEmpty();

        setPolicy("half", new TableAccessPolicy().setPermissions("r").setExpiresOn(later));
        assertListRefused(
                403,
                UNAUTHENTICATED,
                () -> seen(new TableSasSignatureValues("half").setExpiryTime(later)));
        assertListRefused(
                403,
                UNAUTHENTICATED,
                () -> seen(new TableSasSignatureValues("half").setPermissions(reading)));
    }

    @Test
    void tableSasKeyRangeApplies_withStoredPolicy() {
        insertKeys();
        setPolicy("part", new TableAccessPolicy().setPermissions("r").setExpiresOn(fromNow(HOUR)));

        assertThat(
                        seen(
                                to(
                                        from(
                                                new TableSasSignatureValues("part"),
                                                new Key("b", "0")),
                                        new Key("b", "9"))))
                .isEqualTo(KEYS.subList(3, 5));
    }

    @Test
    void tableSasIsRejected_afterTableIsRecreated() {
        setPolicy("old", new TableAccessPolicy().setPermissions("r").setExpiresOn(fromNow(HOUR)));
        assertThat(seen(new TableSasSignatureValues("old"))).isEmpty();

        table.deleteTable();
        table.createTable();

        assertListRefused(403, UNAUTHENTICATED, () -> seen(new TableSasSignatureValues("old")));
    }

    private TableClient holder(TableSasSignatureValues values) {
        return tableWith(table.generateSas(values), name);
    }

    private List<Key> seen(TableSasSignatureValues values) {
        return keysOf(Sdk.query(holder(values), null));
    }

    private void setPolicy(String id, TableAccessPolicy policy) {
        table.setAccessPolicies(List.of(new TableSignedIdentifier(id).setAccessPolicy(policy)));
    }

    private void insertKeys() {
        KEYS.forEach(key -> table.createEntity(key.entity()));
    }

    private static TableSasSignatureValues from(TableSasSignatureValues values, Key key) {
        return values.setStartPartitionKey(key.partitionKey()).setStartRowKey(key.rowKey());
    }

    private static TableSasSignatureValues to(TableSasSignatureValues values, Key key) {
        return values.setEndPartitionKey(key.partitionKey()).setEndRowKey(key.rowKey());
    }

    private static List<Key> keysOf(List<TableEntity> entities) {
        return entities.stream()
                .map(entity -> new Key(entity.getPartitionKey(), entity.getRowKey()))
                .toList();
    }

    private static PagedResponse<TableEntity> page(TableClient client, int size, String token) {
        return client.listEntities(new ListEntitiesOptions().setTop(size), null, null)
                .iterableByPage(token)
                .iterator()
                .next();
    }

    private static TableTransactionAction action(
            TableTransactionActionType type, TableEntity entity) {
        return new TableTransactionAction(type, entity);
    }
}
