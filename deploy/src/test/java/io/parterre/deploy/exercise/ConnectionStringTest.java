package io.parterre.deploy.exercise;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.parterre.deploy.client.SharedKey;
import java.net.URI;
import org.junit.jupiter.api.Test;

class ConnectionStringTest {
    @Test
    void partsAreRead_inAnyOrderAndCase() {
        ConnectionString read =
                ConnectionString.parse(
                        "tableendpoint=https://tables.test:10002/orders/;AccountKey=a2V5PQ==;"
                                + "AccountName=orders;DefaultEndpointsProtocol=https;");
        assertThat(read.endpoint()).isEqualTo(URI.create("https://tables.test:10002/orders"));
        assertThat(read.account()).isEqualTo("orders");
    }

    @Test
    void developmentAccountIsUsed_whenStringAsksForIt() {
        ConnectionString read = ConnectionString.parse("UseDevelopmentStorage=true");
        assertThat(read.endpoint())
                .isEqualTo(URI.create("http://127.0.0.1:10002/devstoreaccount1"));
        assertThat(read.account()).isEqualTo("devstoreaccount1");
    }

    @Test
    void messageNamesThePart_whenItIsMissingOrMalformed() {
        assertThatThrownBy(() -> ConnectionString.parse("AccountName=a;AccountKey=a2V5"))
                .hasMessageContaining("no TableEndpoint");
        assertThatThrownBy(() -> ConnectionString.parse("TableEndpoint=ftp://a;AccountName=a"))
                .hasMessageContaining("TableEndpoint: ftp://a (expected: http:// or https://");
        assertThatThrownBy(() -> ConnectionString.parse("TableEndpoint=http://a;AccountKey=a2V5"))
                .hasMessageContaining("no AccountName");
    }

    @Test
    void keyIsNeverShown() {
        String text = "TableEndpoint=http://a;AccountName=a;AccountKey=";
        assertThatThrownBy(() -> ConnectionString.parse(text + "secret!"))
                .hasMessage("AccountKey: not base64 (expected: base64)")
                .hasNoCause();
        assertThat(ConnectionString.parse(text + "a2V5").toString()).doesNotContain("a2V5");
    }

    /** Source: docs/protocol.md 8.2; the expected value is openssl's. */
    @Test
    void signatureCoversDateAndPath() {
        assertThat(
                        SharedKey.of("a2V5")
                                .authorization(
                                        "acc", "Mon, 02 Jan 2023 03:04:05 GMT", "/acc/Tables"))
                .isEqualTo("SharedKeyLite acc:ccFDZIZ0v5rKGYyAYvP4I9eJ9fjXL4+gz3KR/PAT+8Y=");
    }
}
