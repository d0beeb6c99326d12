package io.parterre.frontend.observe;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.AlphaChars;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.StringLength;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Who a request says it is of, and what of that is shown. */
class CredentialTest {
    @Test
    void credentialIsToldByHeaderOrSignature() {
        assertThat(Credential.of(Requests.head("/a/t", "Authorization", "SharedKey a:b")))
                .isEqualTo(Credential.KEY);
        assertThat(Credential.of(Requests.head("/a/t?sig=x", "Authorization", "bearer abc")))
                .isEqualTo(Credential.TOKEN);
        assertThat(Credential.of(Requests.head("/a/t?sv=1&sig=x"))).isEqualTo(Credential.SIGNATURE);
        assertThat(Credential.of(Requests.head("/a/t?design=x"))).isEqualTo(Credential.NONE);
        assertThat(Credential.of(Requests.head("/a/t"))).isEqualTo(Credential.NONE);
    }

    @ParameterizedTest
    @CsvSource({
        "/a/t?sv=1&sig=SECRET&se=2, /a/t?sv=1&sig=XXXXX&se=2",
        "/a/t?SIG=SECRET, /a/t?SIG=XXXXX",
        "/a/t?s%69g=SECRET, /a/t?s%69g=XXXXX",
        "/a/t?sig=SEC%3DRET%3D=, /a/t?sig=XXXXX",
        "https://h/a/t?sig=SECRET#f, https://h/a/t?sig=XXXXX#f",
        "/a/t?u=https%3A%2F%2Fh%3Fsig%3DSECRET, /a/t?XXXXX",
        "/a/t?u=https%253A%252F%252Fh%253Fsig%253DSECRET, /a/t?XXXXX",
        "/a/t?%zzsig%3DSECRET, /a/t?XXXXX",
        "sig%3DSECRET, XXXXX",
        "/a/t?$filter=Name%20eq%20'x', /a/t?$filter=Name%20eq%20'x'",
        "'/a/t(PartitionKey=''p'',RowKey=''r'')', '/a/t(PartitionKey=''p'',RowKey=''r'')'"
    })
    void signatureIsHidden_inAddress(String sent, String shown) {
        assertThat(Credential.withoutSignatures(sent)).isEqualTo(shown);
    }

    @Property(tries = 300)
    void signatureIsHidden_howeverItIsEscaped(
            @ForAll @AlphaChars @StringLength(min = 20, max = 40) String signature,
            @ForAll @IntRange(max = 4) int levels) {
        String parameters = "se=2030&sig=" + signature + "&sp=r";
        for (int i = 0; i < levels; i++) {
            parameters = URLEncoder.encode(parameters, StandardCharsets.UTF_8);
        }
        assertThat(Credential.withoutSignatures("https://h/a/t?sv=1&x=" + parameters))
                .doesNotContain(signature)
                .startsWith("https://h/a/t?");
    }
}
