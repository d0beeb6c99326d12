package io.parterre.endpoint;

import io.grpc.Channel;
import io.grpc.Metadata;
import io.grpc.Status;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * The partition managers, and which of them to ask: those that the settings name, and those that
 * managers have told of since. Safe for any thread.
 */
public final class ManagerEndpoints {
    /** Where a manager that does not lead says who does. */
    public static final Metadata.Key<String> LEADER =
            Metadata.Key.of("parterre-leader", Metadata.ASCII_STRING_MARSHALLER);

    private final List<ManagerEndpoint> seeds;
    private final Function<String, Channel> connect;
    private final Consumer<List<String>> onLearned;

    // Guarded by this; the list is replaced, not changed.
    private volatile List<ManagerEndpoint> endpoints;
    private List<String> learned = List.of();
    private ManagerEndpoint current;

    /** These, and never others. */
    public ManagerEndpoints(List<ManagerEndpoint> endpoints) {
        this(endpoints, List.of(), address -> null, addresses -> {});
    }

    /**
     * These, and others that managers tell of.
     *
     * @param seeds go on being asked, after those that were told of
     * @param known addresses told of earlier
     * @param connect ways to an address, the same for the same address; closed by their maker
     * @param onLearned told the addresses when they are others than before
     */
    public ManagerEndpoints(
            List<ManagerEndpoint> seeds,
            List<String> known,
            Function<String, Channel> connect,
            Consumer<List<String>> onLearned) {
        if (seeds.isEmpty()) {
            throw new IllegalArgumentException("managers: none (expected: at least one)");
        }
        this.seeds = List.copyOf(seeds);
        this.connect = connect;
        this.onLearned = onLearned;
        this.learned = List.copyOf(known);
        this.endpoints = union(learned);
        this.current = endpoints.get(0);
    }

    private List<ManagerEndpoint> union(List<String> addresses) {
        List<ManagerEndpoint> union = new ArrayList<>();
        for (String address : addresses) {
            // One that is known keeps its way.
            find(seeds, address)
                    .or(
                            () ->
                                    Optional.ofNullable(connect.apply(address))
                                            .map(channel -> new ManagerEndpoint(address, channel)))
                    .ifPresent(union::add);
        }
        for (ManagerEndpoint seed : seeds) {
            if (find(union, seed.address()).isEmpty()) {
                union.add(seed);
            }
        }
        return List.copyOf(union);
    }

    private static Optional<ManagerEndpoint> find(List<ManagerEndpoint> among, String address) {
        return among.stream().filter(each -> each.address().equals(address)).findFirst();
    }

    /** How many there are. */
    public int size() {
        return endpoints.size();
    }

    /** The one to ask. */
    public synchronized ManagerEndpoint current() {
        return current;
    }

    /**
     * A manager has told which managers there are; none: it does not know. Who is asked stays the
     * same as long as that is answered.
     */
    public void learned(List<String> addresses) {
        synchronized (this) {
            if (addresses.isEmpty() || addresses.equals(learned)) {
                return;
            }
            learned = List.copyOf(addresses);
            endpoints = union(learned);
        }
        onLearned.accept(List.copyOf(addresses));
    }

    /** The one asked did not answer: asks the one it names next, else the next in line. */
    public synchronized void failed(ManagerEndpoint asked, Throwable cause) {
        if (!current.equals(asked)) {
            // Another call has moved on already.
            return;
        }
        // One that is none of them any more is followed by the first.
        int next = (endpoints.indexOf(asked) + 1) % endpoints.size();
        Metadata trailers = Status.trailersFromThrowable(cause);
        current =
                Optional.ofNullable(trailers)
                        .map(trailer -> trailer.get(LEADER))
                        .flatMap(leader -> find(endpoints, leader))
                        .orElse(endpoints.get(next));
    }
}
