package io.parterre.manager.map;

import io.parterre.release.FeatureLevel;
import java.util.Optional;

/** Feature levels as messages. Stateless; safe for any thread. */
public final class LevelsCodec {
    private LevelsCodec() {}

    public static io.parterre.proto.manager.FeatureLevels toProto(
            io.parterre.release.FeatureLevels levels) {
        return io.parterre.proto.manager.FeatureLevels.newBuilder()
                .setOldest(levels.oldest().value())
                .setNewest(levels.newest().value())
                .build();
    }

    /**
     * Levels as told.
     *
     * @throws IllegalArgumentException if there can be none such
     */
    public static io.parterre.release.FeatureLevels fromProto(
            io.parterre.proto.manager.FeatureLevels message) {
        return new io.parterre.release.FeatureLevels(
                new FeatureLevel(message.getOldest()), new FeatureLevel(message.getNewest()));
    }

    /** The same where a release may tell none. */
    public static Optional<io.parterre.release.FeatureLevels> fromProto(
            boolean told, io.parterre.proto.manager.FeatureLevels message) {
        return told ? Optional.of(fromProto(message)) : Optional.empty();
    }
}
