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
 * The partition managers, and the one to ask: managers from the settings, and managers learned from
 * their answers since. Safe for any thread.
 */
public final class ManagerEndpoints {
    /** Header in which a manager that does not lead names the leader. */
    public static final Metadata.Key<String> LEADER =
            Metadata.Key.of("parterre-leader", Metadata.ASCII_STRING_MARSHALLER);

    private final List<ManagerEndpoint> seeds;
    private final Function<String, Channel> connect;
    private final Consumer<List<String>> onLearned;

    // All three change under this lock only; the lists are replaced, not changed.
    private volatile List<ManagerEndpoint> endpoints;
    private List<String> learned = List.of();
    private ManagerEndpoint current;

    /** Uses these endpoints only. */
    public ManagerEndpoints(List<ManagerEndpoint> endpoints) {
        this(endpoints, List.of(), address -> null, addresses -> {});
    }

    /**
     * Uses these endpoints, and others that managers state.
     *
     * @param seeds also asked, after the learned ones
     * @param known addresses learned earlier
     * @param connect returns a channel to an address, the same for the same address; closed by its
     *     maker
     * @param onLearned receives the addresses when they have changed
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
            // A seed keeps its channel.
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

    /** The number of endpoints. */
    public int size() {
        return endpoints.size();
    }

    /** The endpoint to ask. */
    public synchronized ManagerEndpoint current() {
        return current;
    }

    /**
     * Takes the addresses of all managers from a manager's answer; an empty list: the manager does
     * not know them. The endpoint to ask stays the same while it answers.
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

    /**
     * Records that the asked endpoint did not answer. The next to ask is the leader that it names,
     * else the next in the list.
     */
    public synchronized void failed(ManagerEndpoint asked, Throwable cause) {
        if (!current.equals(asked)) {
            // Another call has already chosen the next endpoint.
            return;
        }
        // After an endpoint that is no longer in the list comes the first.
        int next = (endpoints.indexOf(asked) + 1) % endpoints.size();
        Metadata trailers = Status.trailersFromThrowable(cause);
        current =
                Optional.ofNullable(trailers)
                        .map(trailer -> trailer.get(LEADER))
                        .flatMap(leader -> find(endpoints, leader))
                        .orElse(endpoints.get(next));
    }
}
