package io.parterre.server.query;

import io.parterre.entity.ByteSink;
import io.parterre.entity.EntityView;
import io.parterre.entity.Projection;
import io.parterre.filter.EntityPredicate;
import java.util.Optional;

/** Selects entities that match a filter, with the selected properties. */
final class EntityRows implements RowTest {
    private final EntityView view = new EntityView();
    private final Optional<EntityPredicate> predicate;
    private final Optional<Projection> projection;

    EntityRows(Optional<EntityPredicate> predicate, Optional<Projection> projection) {
        this.predicate = predicate;
        this.projection = projection;
    }

    @Override
    public boolean matches(RowSource row) {
        view.reset(row.key(), row.keyLength(), row.value(), row.valueLength());
        return predicate.isEmpty() || predicate.get().test(view);
    }

    @Override
    public void copyTo(RowSource row, ByteSink page) {
        if (projection.isPresent()) {
            projection.get().copyTo(view, page);
        } else {
            view.copyTo(page);
        }
    }
}
