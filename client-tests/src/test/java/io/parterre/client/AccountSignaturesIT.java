package io.parterre.client;

import static io.parterre.client.EntityOperation.stored;
import static io.parterre.client.Refusals.assertListRefused;
import static io.parterre.client.Refusals.assertRefused;
import static io.parterre.client.Refusals.assertXmlRefused;
import static io.parterre.client.Signatures.ADDRESS;
import static io.parterre.client.Signatures.ANYWHERE;
import static io.parterre.client.Signatures.ELSEWHERE;
import static io.parterre.client.Signatures.FAILURE;
import static io.parterre.client.Signatures.PERMISSION;
import static io.parterre.client.Signatures.PROTOCOL;
import static io.parterre.client.Signatures.RESOURCE_TYPE;
import static io.parterre.client.Signatures.SERVICE;
import static io.parterre.client.Signatures.UNAUTHENTICATED;
import static io.parterre.client.Signatures.assertHeldTo;
import static io.parterre.client.Signatures.fromNow;
import static io.parterre.client.Signatures.numbersIn;
import static io.parterre.client.Signatures.permitting;
import static io.parterre.client.Signatures.serviceWith;
import static io.parterre.client.Signatures.tableWith;
import static org.assertj.core.api.Assertions.assertThat;

import com.azure.core.credential.AzureSasCredential;
import com.azure.data.tables.TableClient;
import com.azure.data.tables.TableServiceClient;
import com.azure.data.tables.TableServiceClientBuilder;
import com.azure.data.tables.models.ListTablesOptions;
import com.azure.data.tables.models.TableEntity;
import com.azure.data.tables.models.TableItem;
import com.azure.data.tables.models.TableServiceProperties;
import com.azure.data.tables.models.TableSignedIdentifier;
import com.azure.data.tables.models.TableTransactionAction;
import com.azure.data.tables.models.TableTransactionActionType;
import com.azure.data.tables.sas.TableAccountSasSignatureValues;
import com.azure.data.tables.sas.TableSasProtocol;
import io.parterre.chaos.client.TestedService;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a signature for kinds of resources of an account lets its holder do. */
class AccountSignaturesIT {
    private static final Duration HOUR = Duration.ofHours(1);
    private static final String ALL = "rwdlacup";

    private final TableClient table = Sdk.freshTable();
    private final String name = table.getTableName();

    @ParameterizedTest
    @ValueSource(strings = {"r", "a", "u", "d", "au", "wlcp", "raud"})
    void accountSasPermitsOnlyEntityOperationsOfItsLetters(String letters) {
        assertHeldTo(letters, tableWith(token("o", letters), name), table);
    }

    @Test
    void entityOperationsAreRejected_withoutObjectResourceType() {
        table.createEntity(stored());
        TableClient holder = tableWith(token("sc", ALL), name);

        for (EntityOperation operation : EntityOperation.values()) {
            if (operation == EntityOperation.QUERY) {
                assertListRefused(403, RESOURCE_TYPE, () -> operation.run(holder));
            } else {
                assertRefused(403, RESOURCE_TYPE, () -> operation.run(holder));
            }
        }
        TableTransactionAction action =
                new TableTransactionAction(
                        TableTransactionActionType.CREATE, new TableEntity("p", "new"));
        assertRefused(403, RESOURCE_TYPE, () -> holder.submitTransaction(List.of(action)));
        assertThat(numbersIn(table)).containsExactly(1);
    }

    @Test
    void tableOperationsAreRejected_withoutContainerTypeOrLetter() {
        String fresh = Sdk.freshName();
        TableServiceClient stranger = serviceWith(token("so", ALL));
        assertRefused(403, RESOURCE_TYPE, () -> stranger.createTable(fresh));
        assertRefused(403, RESOURCE_TYPE, () -> stranger.deleteTable(fresh));
        assertListRefused(403, RESOURCE_TYPE, () -> listed("so", ALL, fresh));
        assertRefused(403, PERMISSION, () -> serviceWith(token("c", "rdlaup")).createTable(fresh));
        assertRefused(403, PERMISSION, () -> serviceWith(token("c", "rwlacup")).deleteTable(fresh));
        assertListRefused(403, PERMISSION, () -> listed("c", "rwdacup", fresh));

        for (String letter : List.of("c", "w")) {
            serviceWith(token("c", letter)).createTable(fresh);
            assertThat(listed("c", "l", fresh)).containsExactly(fresh);
            serviceWith(token("c", "d")).deleteTable(fresh);
        }
        assertThat(listed("c", "l", fresh)).isEmpty();
    }

    @Test
    void serviceOperationsAreRejected_withoutServiceTypeOrLetter() {
        TableServiceProperties nothing = new TableServiceProperties();

        assertXmlRefused(403, RESOURCE_TYPE, () -> serviceWith(token("co", ALL)).getProperties());
        assertXmlRefused(403, RESOURCE_TYPE, () -> secondaryWith(token("co", ALL)).getStatistics());
        assertXmlRefused(
                403, RESOURCE_TYPE, () -> serviceWith(token("co", ALL)).setProperties(nothing));
        String others = token("s", "dlacup");
        assertXmlRefused(403, PERMISSION, () -> serviceWith(others).getProperties());
        assertXmlRefused(403, PERMISSION, () -> secondaryWith(others).getStatistics());
        assertXmlRefused(403, PERMISSION, () -> serviceWith(others).setProperties(nothing));

        assertThat(serviceWith(token("s", "r")).getProperties().getHourMetrics()).isNotNull();
        assertThat(secondaryWith(token("s", "r")).getStatistics().getGeoReplication()).isNotNull();
        // To set nothing leaves all as it is.
        serviceWith(token("s", "w")).setProperties(nothing);
    }

    @Test
    void accountSasIsRejected_forAccessPolicies() {
        TableClient holder = tableWith(token("sco", ALL), name);

        assertXmlRefused(403, FAILURE, holder::getAccessPolicies);
        assertXmlRefused(
                403,
                FAILURE,
                () -> holder.setAccessPolicies(List.of(new TableSignedIdentifier("a"))));
        // This is how the SDK tells that there are none.
        assertThat(table.getAccessPolicies().getIdentifiers()).isNull();
    }

    @Test
    void accountSasIsRejected_whenTableServiceIsNotIncluded() {
        String others = sign(permitting("bqf", "sco", ALL));
        assertListRefused(403, SERVICE, () -> numbersIn(tableWith(others, name)));
        assertXmlRefused(403, SERVICE, () -> serviceWith(others).getProperties());

        assertThat(numbersIn(tableWith(sign(permitting("bqtf", "o", "r")), name))).isEmpty();
    }

    @Test
    void accountSasIsRejected_whenTimeIpOrProtocolDoesNotMatch() {
        TableAccountSasSignatureValues open =
                permitting("t", "o", "r")
                        .setStartTime(fromNow(HOUR.negated()))
                        .setSasIpRange(ANYWHERE)
                        .setProtocol(TableSasProtocol.HTTPS_HTTP);
        assertThat(numbersIn(tableWith(sign(open), name))).isEmpty();

        String expired = sign(permitting("t", "o", "r", fromNow(HOUR.negated())));
        assertListRefused(403, UNAUTHENTICATED, () -> numbersIn(tableWith(expired, name)));
        String early = sign(permitting("t", "o", "r").setStartTime(fromNow(Duration.ofMinutes(1))));
        assertListRefused(403, UNAUTHENTICATED, () -> numbersIn(tableWith(early, name)));
        String elsewhere = sign(permitting("t", "o", "r").setSasIpRange(ELSEWHERE));
        assertListRefused(403, ADDRESS, () -> numbersIn(tableWith(elsewhere, name)));
        String secure = sign(permitting("t", "o", "r").setProtocol(TableSasProtocol.HTTPS_ONLY));
        if (TestedService.get().endpoint().getScheme().equals("http")) {
            assertListRefused(403, PROTOCOL, () -> numbersIn(tableWith(secure, name)));
        }
    }

    @Test
    void accountSasIsRejected_whenTampered() {
        String token = token("o", "r");
        for (String touched :
                List.of(
                        token.replace("sp=r", "sp=ra"),
                        token.replace("srt=o", "srt=sco"),
                        token.replace("ss=t", "ss=bt"))) {
            assertThat(touched).isNotEqualTo(token);
            assertListRefused(403, UNAUTHENTICATED, () -> numbersIn(tableWith(touched, name)));
        }
    }

    @Test
    void accountSasGrantsAccess_withConnectionString() {
        TableServiceClient service =
                new TableServiceClientBuilder()
                        .connectionString(
                                "TableEndpoint="
                                        + TestedService.get().endpoint()
                                        + ";SharedAccessSignature="
                                        + token("sco", ALL))
                        .buildClient();

        TableClient opened = service.createTable(Sdk.freshName());
        opened.createEntity(stored());
        assertThat(numbersIn(opened)).containsExactly(1);
    }

    private static String token(String resourceTypes, String letters) {
        return sign(permitting("t", resourceTypes, letters));
    }

    private static String sign(TableAccountSasSignatureValues values) {
        return Sdk.service().generateAccountSas(values);
    }

    private static TableServiceClient secondaryWith(String token) {
        return Sdk.builder()
                .endpoint(TestedService.get().endpoint() + "-secondary")
                .credential(new AzureSasCredential(token))
                .buildClient();
    }

    private static List<String> listed(String resourceTypes, String letters, String name) {
        ListTablesOptions options =
                new ListTablesOptions().setFilter("TableName eq '" + name + "'");
        return serviceWith(token(resourceTypes, letters)).listTables(options, null, null).stream()
                .map(TableItem::getName)
                .toList();
    }
}
