package io.parterre.tls;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.management.ManagementFactory;
import java.util.List;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.Test;

final class CipherPreferenceTest {
    private static final List<String> SUITES =
            List.of(
                    "TLS_AES_256_GCM_SHA384",
                    "TLS_CHACHA20_POLY1305_SHA256",
                    "TLS_AES_128_GCM_SHA256",
                    "TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256");

    @Test
    void chacha20ComesFirst_withoutSecondCompiler() {
        assertThat(CipherPreference.ordered(SUITES, false))
                .containsExactly(SUITES.get(1), SUITES.get(3), SUITES.get(0), SUITES.get(2));
        assertThat(CipherPreference.ordered(SUITES, true)).isEqualTo(SUITES);
    }

    @Test
    void compilerIsThatOfTheOptions() {
        List<String> options = ManagementFactory.getRuntimeMXBean().getInputArguments();
        assertThat(CipherPreference.hasSecondCompiler())
                .isEqualTo(options.stream().noneMatch("-XX:TieredStopAtLevel=1"::equals));
    }

    @Test
    void runtimeHasSuitesOfBothKinds() throws Exception {
        List<String> supported =
                List.of(SSLContext.getDefault().getSupportedSSLParameters().getCipherSuites());
        assertThat(supported).contains(SUITES.get(0), SUITES.get(1));
        assertThat(CipherPreference.of(supported)).hasSameElementsAs(supported);
    }
}
