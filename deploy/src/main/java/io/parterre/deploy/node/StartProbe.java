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

/** Looks at what a start would need, and changes nothing. Stateless. */
public final class StartProbe {
    private StartProbe() {}

    /**
     * An address that a process is to listen on.
     *
     * @param text the address and the settings that name it
     * @param taken whether it is ours and another process listens on it
     * @param refusal why it cannot be listened on
     */
    public record Address(String text, boolean taken, Optional<String> refusal) {}

    /**
     * Looks at the addresses of a process.
     *
     * @param role empty: all of them in one process
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
     * What the certificate of a process has to make of it; none: anything, as of an operator.
     *
     * @param role empty: all of them in one process, or none where the settings are of a cluster
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

    /** Whether another process holds the folder. */
    public static boolean isFolderInUse(Path folder) {
        return refusal(folder)
                .filter(refused -> refused.exitCode() == ExitCode.DATA_DIR_IN_USE)
                .isPresent();
    }

    /** Why a start would refuse the folder. */
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
