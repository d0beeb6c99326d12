package io.parterre.deploy.config;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** The partition managers of the cluster. As text: each in its own form, joined by {@code ;}. */
public record ManagerList(List<ManagerAddresses> managers) {
    public ManagerList {
        managers = List.copyOf(managers);
        if (managers.stream().map(ManagerAddresses::id).distinct().count() != managers.size()) {
            throw new IllegalArgumentException("an id twice (expected: each once)");
        }
        long addresses =
                managers.stream()
                        .flatMap(each -> List.of(each.raft(), each.service()).stream())
                        .distinct()
                        .count();
        if (addresses != 2L * managers.size()) {
            throw new IllegalArgumentException("an address twice (expected: each once)");
        }
    }

    static ManagerList parse(String text) {
        return new ManagerList(
                Arrays.stream(text.split(";"))
                        .filter(each -> !each.isBlank())
                        .map(ManagerAddresses::parse)
                        .toList());
    }

    /** Returns the addresses at which the managers are asked. */
    public List<HostPort> services() {
        return managers.stream().map(ManagerAddresses::service).toList();
    }

    /** Returns the manager of this name; empty if there is none. */
    public Optional<ManagerAddresses> find(String id) {
        return managers.stream().filter(each -> each.id().equals(id)).findFirst();
    }

    @Override
    public String toString() {
        return managers.stream().map(ManagerAddresses::toString).collect(Collectors.joining(";"));
    }
}
