package io.parterre.deploy.node;

import io.parterre.deploy.ExitCode;
import io.parterre.deploy.config.ParterreConfig;
import io.parterre.tls.PeerName;
import io.parterre.tls.PeerRole;
import java.net.BindException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Checks what a start would need, and changes nothing. Stateless. */
public final class StartProbe {
    private StartProbe() {}

    /**
     * An address on which a process is to listen.
     *
     * @param text the address and the settings that name it
     * @param taken whether the address is ours and another process listens on it
     * @param refusal why it cannot be listened on
     */
    public record Address(String text, boolean taken, Optional<String> refusal) {}

    /**
     * Checks the addresses of a process.
     *
     * @param role empty: all roles in one process
     */
    public static List<Address> addresses(ParterreConfig config, Optional<RoleName> role) {
        List<ListenAddress> addresses = new ArrayList<>();
        if (role.isEmpty() || role.get() == RoleName.FRONT_END) {
            addresses.add(ListenAddress.ofTables(config));
        } else if (role.get() == RoleName.PARTITION_MANAGER) {
            addresses.addAll(ListenAddress.ofManager(config));
        } else {
            addresses.addAll(ListenAddress.ofServer(config));
        }
        addresses.add(ListenAddress.ofAdmin(config));
        return addresses.stream().map(StartProbe::address).toList();
    }

    /**
     * Returns the names that the certificate of a process must contain; empty: any certificate, as
     * for an operator.
     *
     * @param role empty: all roles in one process, or none if the settings are those of a cluster
     */
    public static List<PeerName> self(ParterreConfig config, Optional<RoleName> role) {
        if (role.isPresent()) {
            return role.get().self(config);
        }
        return config.cluster().managers().managers().isEmpty()
                ? List.of(PeerName.any(PeerRole.MANAGER), PeerName.any(PeerRole.SERVER))
                : List.of();
    }

    private static Address address(ListenAddress address) {
        String text = address.host() + ":" + address.port() + ", " + address.portSetting() + ",";
        try {
            address.check();
            return new Address(text, false, Optional.empty());
        } catch (StartException refused) {
            boolean taken =
                    refused.getCause() instanceof BindException
                            && String.valueOf(refused.getCause().getMessage())
                                    .contains("already in use");
            return new Address(text, taken, Optional.of(refused.getMessage()));
        }
    }

    /** Returns whether another process holds the folder. */
    public static boolean isFolderInUse(Path folder) {
        return refusal(folder)
                .filter(refused -> refused.exitCode() == ExitCode.DATA_DIR_IN_USE)
                .isPresent();
    }

    /** Returns why a start would refuse the folder; empty if it would not. */
    public static Optional<String> folderRefusal(Path folder) {
        return refusal(folder).map(StartException::getMessage);
    }

    private static Optional<StartException> refusal(Path folder) {
        try {
            DataFolder.check(folder);
            return Optional.empty();
        } catch (StartException refused) {
            return Optional.of(refused);
        }
    }
}
