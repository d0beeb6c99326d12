package io.parterre.deploy.local;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.parterre.manager.secret.KeyRing;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.Base64;

/** The key with which the managers of a cluster on this machine encrypt account keys. Stateless. */
final class EncryptionKeyFile {
    private static final String NAME = "encryption.key";

    private EncryptionKeyFile() {}

    private static Path in(Path cluster) {
        return cluster.resolve(NAME);
    }

    /** Creates a new key in the folder of the cluster. */
    static void make(Path cluster) throws IOException {
        byte[] key = new byte[KeyRing.KEY_BYTES];
        new SecureRandom().nextBytes(key);
        TokenFile.write(in(cluster), Base64.getEncoder().encodeToString(key) + "\n");
    }

    /** Adds the key to the settings of a manager, if the cluster has one. */
    static void write(Path cluster, ObjectNode settings) {
        if (Files.exists(in(cluster))) {
            settings.putObject("secrets").put("keyFile", in(cluster).toString());
        }
    }
}
