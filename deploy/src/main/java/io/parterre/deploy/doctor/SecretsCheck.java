package io.parterre.deploy.doctor;

import io.parterre.deploy.config.SecretsSection;
import io.parterre.deploy.secret.EncryptionKeys;
import io.parterre.deploy.secret.EncryptionKeysException;
import io.parterre.deploy.secret.KeyFileAccess;
import io.parterre.proto.admin.ListAccountsResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Checks the keys that encrypt account keys, here and in the cluster. */
final class SecretsCheck {
    private static final String SUBJECT = "account keys";

    private SecretsCheck() {}

    /** Checks the settings of a process that keeps accounts. A command for keys is not run. */
    static List<Finding> here(SecretsSection secrets) {
        Optional<Path> file = secrets.keyFile();
        if (file.isEmpty()) {
            return List.of();
        }
        List<Finding> findings = new ArrayList<>();
        KeyFileAccess.warning(file.get())
                .ifPresent(
                        text -> findings.add(Finding.warning(SUBJECT, "secrets.keyFile: " + text)));
        try {
            EncryptionKeys.check(secrets);
            findings.add(Finding.ok(SUBJECT, "secrets.keyFile: " + file.get() + " can be used"));
        } catch (EncryptionKeysException refused) {
            findings.add(Finding.problem(SUBJECT, refused.getMessage()));
        }
        return findings;
    }

    /** Checks what the leading manager reports; returns nothing if it has no key. */
    static List<Finding> cluster(ListAccountsResponse accounts) {
        String preferred = accounts.getEncryptionKeyId();
        if (preferred.isEmpty()) {
            return List.of();
        }
        long others =
                accounts.getKeyStorageList().stream()
                        .flatMap(account -> account.getEncryptionKeyIdsList().stream())
                        .filter(id -> !id.equals(preferred))
                        .count();
        if (others == 0) {
            return List.of(Finding.ok(SUBJECT, "all are encrypted with key " + preferred));
        }
        String why = accounts.getEncryptionHindrance();
        return List.of(
                Finding.warning(
                        SUBJECT,
                        others
                                + " are not encrypted with key "
                                + preferred
                                + (why.isEmpty() ? " yet" : ": " + why)));
    }
}
