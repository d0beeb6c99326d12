package io.parterre.deploy.transfer;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.GeneralSecurityException;
import java.util.Base64;
import java.util.Optional;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** A client's credential for a table endpoint. Immutable; never printed. */
sealed interface Credential {
    /**
     * Returns the {@code Authorization} header; empty if there is none.
     *
     * @param date value of {@code x-ms-date}
     * @param path path of the address, encoded as it is sent
     */
    Optional<String> authorization(String date, String path);

    /** Returns what is appended to the other query parameters; empty string if nothing. */
    String query();

    /** A shared key, as SharedKeyLite. Source: docs/protocol.md 8.2. */
    final class SharedKey implements Credential {
        private static final String ALGORITHM = "HmacSHA256";

        private final String account;
        private final SecretKeySpec key;

        /**
         * Creates a credential from a key of an account.
         *
         * @throws IllegalArgumentException if the key is not Base64, or empty
         */
        SharedKey(String account, String base64) {
            this.account = account;
            this.key = new SecretKeySpec(Base64.getDecoder().decode(base64.strip()), ALGORITHM);
        }

        @Override
        public Optional<String> authorization(String date, String path) {
            String text = date + "\n/" + account + path;
            try {
                Mac mac = Mac.getInstance(ALGORITHM);
                mac.init(key);
                String signature =
                        Base64.getEncoder().encodeToString(mac.doFinal(text.getBytes(UTF_8)));
                return Optional.of("SharedKeyLite " + account + ":" + signature);
            } catch (GeneralSecurityException everyJavaHasIt) {
                throw new IllegalStateException(everyJavaHasIt);
            }
        }

        @Override
        public String query() {
            return "";
        }
    }

    /** A shared access signature: a query string signed by a holder of the key. */
    final class Sas implements Credential {
        private final String query;

        Sas(String query) {
            String stripped = query.strip();
            this.query = stripped.startsWith("?") ? stripped.substring(1) : stripped;
            if (!this.query.contains("sig=")) {
                throw new IllegalArgumentException("shared access signature: has no sig");
            }
        }

        @Override
        public Optional<String> authorization(String date, String path) {
            return Optional.empty();
        }

        @Override
        public String query() {
            return query;
        }
    }
}
