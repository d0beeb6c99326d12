package io.parterre.manager.secret;

import io.parterre.manager.map.AccountKey;
import io.parterre.manager.map.AccountName;
import io.parterre.manager.map.MapCommand;
import io.parterre.manager.map.StoredKey;
import java.util.List;

/** Encrypts the accounts' keys in commands. Stateless and thread-safe. */
public final class KeyedCommand {
    private KeyedCommand() {}

    /** Returns whether the command would put a key in clear into the log. */
    public static boolean holdsClearKey(MapCommand command) {
        return keys(command).stream().anyMatch(AccountKey.class::isInstance);
    }

    private static List<StoredKey> keys(MapCommand command) {
        if (command instanceof MapCommand.Noted noted) {
            return keys(noted.command());
        }
        if (command instanceof MapCommand.EnsureAccount ensure) {
            return ensure.keys();
        }
        if (command instanceof MapCommand.CreateAccount create) {
            return create.keys();
        }
        return command instanceof MapCommand.RotateKey rotate ? List.of(rotate.key()) : List.of();
    }

    /**
     * Returns the command with all its keys encrypted.
     *
     * @param keyId of an encryption key in the ring
     */
    public static MapCommand encrypted(MapCommand command, KeyRing ring, String keyId) {
        if (command instanceof MapCommand.Noted noted) {
            return new MapCommand.Noted(encrypted(noted.command(), ring, keyId), noted.entry());
        }
        if (command instanceof MapCommand.EnsureAccount ensure) {
            return new MapCommand.EnsureAccount(
                    ensure.name(),
                    encrypted(ensure.name(), ensure.keys(), ring, keyId),
                    ensure.suspended());
        }
        if (command instanceof MapCommand.CreateAccount create) {
            return new MapCommand.CreateAccount(
                    create.name(), encrypted(create.name(), create.keys(), ring, keyId));
        }
        return command instanceof MapCommand.RotateKey rotate
                ? new MapCommand.RotateKey(
                        rotate.name(),
                        rotate.number(),
                        encrypted(rotate.name(), rotate.key(), ring, keyId))
                : command;
    }

    private static List<StoredKey> encrypted(
            AccountName account, List<StoredKey> keys, KeyRing ring, String keyId) {
        return keys.stream().map(key -> encrypted(account, key, ring, keyId)).toList();
    }

    private static StoredKey encrypted(
            AccountName account, StoredKey key, KeyRing ring, String keyId) {
        return key instanceof AccountKey clear ? ring.encrypt(keyId, account, clear) : key;
    }
}
