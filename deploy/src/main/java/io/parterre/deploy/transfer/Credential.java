package io.parterre.deploy.transfer;

import io.parterre.deploy.client.SharedKey;
import java.util.Optional;

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

    /** A key of an account. */
    final class OfAccount implements Credential {
        private final String account;
        private final SharedKey key;

        OfAccount(String account, SharedKey key) {
            this.account = account;
            this.key = key;
        }

        @Override
        public Optional<String> authorization(String date, String path) {
            return Optional.of(key.authorization(account, date, path));
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
